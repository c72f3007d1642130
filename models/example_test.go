package models_test

import (
	"fmt"
	"log"
	"os"

	"podium/models"
)

// A net of a built-in family is written as an instance, and found again.
func Example() {
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	family, ok := models.FindFamily("DiningPhilosophers")
	if !ok {
		log.Fatal("there is no such family")
	}
	net, err := family.Build("005")
	if err != nil {
		log.Fatal(err)
	}
	if err := models.WriteInstance(dir, family.ID("005"), net, models.WriteOptions{}); err != nil {
		log.Fatal(err)
	}
	collection, err := models.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range collection.Instances {
		doc, err := i.Document()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(i.ID, i.Class, doc.Net.Places.Len(), doc.Net.Transitions.Len())
	}
	// Output:
	// DiningPhilosophers-PT-005 known 25 25
}

// The name of an instance has three parts.
func ExampleParseID() {
	id, err := models.ParseID("Philosophers-COL-000005")
	fmt.Println(id.Family, id.Kind, id.Param, err)
	_, err = models.ParseID("Philosophers")
	fmt.Println(err)
	// Output:
	// Philosophers COL 000005 <nil>
	// "Philosophers" is no instance name: it must read Family-PT-Parameter or Family-COL-Parameter, such as Philosophers-PT-05
}
