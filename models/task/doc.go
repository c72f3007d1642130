// Package task reads verification tasks in the forms of SV-COMP and BenchExec.
//
// A task is a program and a property, often with the verdict that is expected of
// it. A task definition (YAML, format 1.0 to 2.1) names the input files of one
// program and the properties that it is a task for. A property file says what has to
// hold. A set file lists the tasks of a category. Before 2019 there were no
// definitions: names of programs said the verdicts.
//
// Readers collect findings and go on; [Open] puts files together and gives tasks.
// Sources: the rules of SV-COMP (2012, 2019, today), and BenchExec's documentation of
// task definitions.
package task
