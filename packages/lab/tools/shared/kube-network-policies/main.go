// SIG-Network's engine of NetworkPolicy as a process of a node: upstream's own program finds its cluster from within a pod
// alone. Arguments: a kubeconfig and the node's name. What it judges comes by NFQUEUE, see `cluster/programs/policies.ts`.
package main

import (
	"context"
	"log"
	"os"
	"strings"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/kube-network-policies/pkg/networkpolicy"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	client, ctx := kubernetes.NewForConfigOrDie(config), context.Background()
	all := informers.NewSharedInformerFactory(client, 0)
	policies, core := all.Networking().V1().NetworkPolicies(), all.Core().V1()
	// No table can have this name, so that the engine makes no chains of its own beside the lab's: whenever a chain goes, even
	// of a change that is refused, the kernel drops each packet that waits in a queue.
	own := networkpolicy.Config{NodeName: os.Args[2], NFTableName: strings.Repeat("x", 256)}
	engine, err := networkpolicy.NewController(client, policies, core.Namespaces(), core.Pods(), nil, nil, nil, nil, own)
	if err != nil {
		log.Fatal(err)
	}
	all.Start(ctx.Done())
	log.Fatal(engine.Run(ctx))
}
