package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const (
	address      = "127.0.0.1"
	securePort   = "6443"
	etcdURL      = "http://127.0.0.1:2379"
	serviceRange = "10.96.0.0/16"
	readyTimeout = 5 * time.Minute
	readyPause   = 100 * time.Millisecond
)

// run starts the four components, prints "ready" when the API server answers, and stops all when it is told to or when
// one of them ends. It uses Kubernetes' usual ports, because it is meant for a network namespace of its own. Nodes and
// pods with a network of their own reach the API server at ADDRESS.
func run(arguments []string) error {
	if len(arguments) != 2 {
		return errors.New("usage: control-plane run FOLDER ADDRESS")
	}
	nodeAddress := arguments[1]
	folder, err := filepath.Abs(arguments[0])
	if err != nil {
		return err
	}
	keys, err := writeKeys(folder, nodeAddress)
	if err != nil {
		return err
	}
	signalled, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	ended := make(chan error, 4)
	var started []*exec.Cmd
	defer func() {
		for i := len(started) - 1; i >= 0; i-- {
			_ = started[i].Process.Kill()
		}
	}()
	start := func(name string, flags ...string) error {
		component, err := startComponent(folder, name, flags, ended)
		if err == nil {
			started = append(started, component)
		}
		return err
	}

	if err := start("etcd", etcdFlags(folder)...); err != nil {
		return err
	}
	if err := start("kube-apiserver", apiserverFlags(keys, nodeAddress)...); err != nil {
		return err
	}
	if err := awaitReady(signalled, keys, ended); err != nil {
		return err
	}
	if err := start("kube-controller-manager", controllerFlags(keys)...); err != nil {
		return err
	}
	if err := start("kube-scheduler", schedulerFlags(keys)...); err != nil {
		return err
	}
	fmt.Println("ready")
	select {
	case <-signalled.Done():
		return nil
	case err := <-ended:
		return err
	}
}

// startComponent runs this binary again as one component, with its output in a log file. It dies with this process.
func startComponent(folder, name string, flags []string, ended chan<- error) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	output, err := os.Create(filepath.Join(folder, name+".log"))
	if err != nil {
		return nil, err
	}
	component := exec.Command(program, append([]string{name}, flags...)...)
	component.Stdout, component.Stderr = output, output
	component.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := component.Start(); err != nil {
		return nil, err
	}
	go func() {
		err := component.Wait()
		ended <- fmt.Errorf("%s ended: %v; see %s", name, err, output.Name())
	}()
	return component, nil
}

func awaitReady(signalled context.Context, keys *keyFiles, ended <-chan error) error {
	certificate, err := tls.LoadX509KeyPair(keys.adminCertificate, keys.adminKey)
	if err != nil {
		return err
	}
	authority, err := os.ReadFile(keys.authority)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}}}}
	deadline := time.After(readyTimeout)
	for {
		if response, err := client.Get("https://" + address + ":" + securePort + "/readyz"); err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-ended:
			return err
		case <-signalled.Done():
			return errors.New("stopped before it was ready")
		case <-deadline:
			return fmt.Errorf("kube-apiserver is not ready after %v", readyTimeout)
		case <-time.After(readyPause):
		}
	}
}

func etcdFlags(folder string) []string {
	return []string{
		"--data-dir=" + filepath.Join(folder, "etcd"),
		"--listen-client-urls=" + etcdURL, "--advertise-client-urls=" + etcdURL,
		"--unsafe-no-fsync", // The data lives as long as the test.
		"--log-level=warn",
	}
}

func apiserverFlags(keys *keyFiles, nodeAddress string) []string {
	return []string{
		"--etcd-servers=" + etcdURL,
		"--secure-port=" + securePort,
		"--tls-cert-file=" + keys.serverCertificate, "--tls-private-key-file=" + keys.serverKey,
		"--client-ca-file=" + keys.authority,
		"--service-account-key-file=" + keys.accountPublicKey,
		"--service-account-signing-key-file=" + keys.accountKey,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-cluster-ip-range=" + serviceRange,
		"--authorization-mode=Node,RBAC",
		"--bind-address=0.0.0.0", "--advertise-address="+nodeAddress,
		// No name server knows the nodes.
		"--kubelet-preferred-address-types=InternalIP",
		"--kubelet-client-certificate="+keys.adminCertificate, "--kubelet-client-key="+keys.adminKey,
		// What enforces network policies changes the network of its node.
		"--allow-privileged=true",
		// API servers of add-ons are pods, which this server reaches without kube-proxy.
		"--enable-aggregator-routing=true",
		"--proxy-client-cert-file="+keys.proxyCertificate, "--proxy-client-key-file="+keys.proxyKey,
		"--requestheader-client-ca-file="+keys.authority, "--requestheader-allowed-names="+proxyName,
		"--requestheader-username-headers=X-Remote-User", "--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
	}
}

func controllerFlags(keys *keyFiles) []string {
	return append(clientFlags(keys, "10257"),
		"--service-account-private-key-file="+keys.accountKey,
		"--root-ca-file="+keys.authority,
		// A machine under load sends heartbeats late, which is no failed node.
		"--node-monitor-grace-period=5m",
	)
}

func schedulerFlags(keys *keyFiles) []string {
	return clientFlags(keys, "10259")
}

func clientFlags(keys *keyFiles, port string) []string {
	return []string{
		"--kubeconfig=" + keys.kubeconfig,
		"--authentication-kubeconfig=" + keys.kubeconfig, "--authorization-kubeconfig=" + keys.kubeconfig,
		"--leader-elect=false",
		"--bind-address=" + address, "--secure-port=" + port, "--cert-dir=" + keys.folder,
	}
}
