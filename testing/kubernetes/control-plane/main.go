// Package main is a Kubernetes control plane in one binary: etcd, kube-apiserver, kube-controller-manager and
// kube-scheduler, from the Go modules of Kubernetes itself. `control-plane run FOLDER ADDRESS` starts all four; the other commands
// are how it starts each of them. What a node runs, kubelet and kube-proxy, and kubectl are in the same binary, which
// shares most of its code with them. It is for tests: etcd does not wait for the disk, and nothing is highly available.
package main

import (
	"context"
	"fmt"
	"os"
	_ "time/tzdata" // Cron jobs name time zones, and a slim machine has no list of them.

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	kubectl "k8s.io/kubectl/pkg/cmd"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	proxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

var components = map[string]func() *cobra.Command{
	"kube-apiserver":          apiserver.NewAPIServerCommand,
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	"kubelet":                 func() *cobra.Command { return kubelet.NewKubeletCommand(context.Background()) },
	"kube-proxy":              proxy.NewProxyCommand,
	"kubectl":                 kubectl.NewDefaultKubectlCommand,
}

// version is set by the build, so that a cached binary of another version is noticed.
var version = "unknown"

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: control-plane version | run FOLDER ADDRESS | etcd|kube-apiserver|kube-controller-manager|kube-scheduler|kubelet|kube-proxy|kubectl [flags]")
		os.Exit(2)
	}
	command := os.Args[1]
	os.Args = append([]string{command}, os.Args[2:]...)
	switch command {
	case "version":
		fmt.Println(version)
	case "run":
		if err := run(os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "control-plane:", err)
			os.Exit(1)
		}
	case "etcd":
		etcdmain.Main(os.Args)
	default:
		newCommand, known := components[command]
		if !known {
			fmt.Fprintf(os.Stderr, "control-plane: %q is not a component\n", command)
			os.Exit(2)
		}
		os.Exit(cli.Run(newCommand()))
	}
}
