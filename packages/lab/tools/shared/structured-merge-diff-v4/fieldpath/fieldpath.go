// Package fieldpath lets Pulumi's provider, which names version 4, speak of the sets of version 6 that client-go gives.
package fieldpath

import "sigs.k8s.io/structured-merge-diff/v6/fieldpath"

type (
	Path = fieldpath.Path
	Set  = fieldpath.Set
)

var MakePath = fieldpath.MakePath
