// Package forecast says beforehand what a campaign will take.
//
// A [History] holds what the runs of earlier contests took. A run to come takes
// what the same tool took on the same examination of the same instance. What is not
// known is drawn: in each sample a new tool, model or instance stands as a whole for
// one of the history, because the runs of a model are easy or hard together; an
// instance most often for one of its own model, the more of them are known. A run that
// the history does not have even then is drawn from those that are most like it: of the
// same tool, examination and model; else of tool and examination; else of model and
// examination; else of the examination; else of all. Models are placed by the means of
// these runs.
//
// Each sample (B. Efron, Bootstrap methods, Ann. Statist. 7, 1979) draws all unknown
// runs and plays them on the hosts with the placement that a campaign has. The
// spread of the samples is that of the unknown runs; hosts that are quicker and new
// versions of tools are not in it.
//
// [Rest] forecasts what is left of a campaign while it is run, from the same samples.
//
// Note: the median of the runs that are alike would be a poor estimate of one that
// is unknown. Most runs end within seconds and a tenth at the limit, so that sums of
// medians are far below what a contest takes.
package forecast
