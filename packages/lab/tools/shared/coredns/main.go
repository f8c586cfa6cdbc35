// CoreDNS with the plugins of the lab's Corefile alone, in the way that CoreDNS documents for a choice of one's own
// (https://coredns.io/2017/07/25/compile-time-enabling-or-disabling-plugins/): the rest brings the kits of three clouds.
package main

import (
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/ready"
	_ "github.com/coredns/coredns/plugin/template"

	"github.com/coredns/coredns/coremain"
)

func main() {
	coremain.Run()
}
