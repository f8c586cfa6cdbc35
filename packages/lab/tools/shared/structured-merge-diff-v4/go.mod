module sigs.k8s.io/structured-merge-diff/v4

go 1.26.3

require sigs.k8s.io/structured-merge-diff/v6 v6.4.0
