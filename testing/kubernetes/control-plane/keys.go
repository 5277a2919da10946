package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const (
	validFor = 10 * 24 * time.Hour
	// proxyName is what the API server is called where it passes requests on to an add-on's.
	proxyName = "front-proxy"
)

// keyFiles names the files that the components read.
type keyFiles struct {
	folder, kubeconfig           string
	authority                    string
	serverCertificate, serverKey string
	adminCertificate, adminKey   string
	proxyCertificate, proxyKey   string
	accountPublicKey, accountKey string
}

// authority signs the certificates of one control plane.
type authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
	serial      int64
}

// writeKeys makes an authority, certificates for the API server, for its administrator and for itself as a client of
// add-ons' API servers, the key that signs tokens of service accounts, and a kubeconfig for the administrator.
func writeKeys(parent, nodeAddress string) (*keyFiles, error) {
	folder := filepath.Join(parent, "keys")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	files := &keyFiles{
		folder: folder, kubeconfig: filepath.Join(parent, "kubeconfig"), authority: in("authority.pem"),
		serverCertificate: in("server.pem"), serverKey: in("server-key.pem"),
		adminCertificate: in("admin.pem"), adminKey: in("admin-key.pem"),
		proxyCertificate: in("proxy.pem"), proxyKey: in("proxy-key.pem"),
		accountPublicKey: in("accounts.pem"), accountKey: in("accounts-key.pem"),
	}
	signer, err := newAuthority(files.authority)
	if err != nil {
		return nil, err
	}
	server := x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		IPAddresses: []net.IP{net.ParseIP(address), net.ParseIP("10.96.0.1"), net.ParseIP(nodeAddress)},
		DNSNames:    []string{"localhost", "kubernetes.default.svc"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if err := signer.issue(server, files.serverCertificate, files.serverKey); err != nil {
		return nil, err
	}
	admin := x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	if err := signer.issue(admin, files.adminCertificate, files.adminKey); err != nil {
		return nil, err
	}
	proxy := x509.Certificate{Subject: pkix.Name{CommonName: proxyName}, ExtKeyUsage: admin.ExtKeyUsage}
	if err := signer.issue(proxy, files.proxyCertificate, files.proxyKey); err != nil {
		return nil, err
	}
	if err := writeAccountKey(files); err != nil {
		return nil, err
	}
	return files, writeKubeconfig(files)
}

func newAuthority(path string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "control-plane"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(validFor),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	bytes, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(bytes)
	if err != nil {
		return nil, err
	}
	return &authority{certificate: certificate, key: key, serial: 1}, writePEM(path, "CERTIFICATE", bytes)
}

func (a *authority) issue(template x509.Certificate, certificatePath, keyPath string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	a.serial++
	template.SerialNumber = big.NewInt(a.serial)
	template.NotBefore, template.NotAfter = a.certificate.NotBefore, a.certificate.NotAfter
	template.KeyUsage = x509.KeyUsageDigitalSignature
	bytes, err := x509.CreateCertificate(rand.Reader, &template, a.certificate, key.Public(), a.key)
	if err != nil {
		return err
	}
	if err := writePEM(certificatePath, "CERTIFICATE", bytes); err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(keyPath, "PRIVATE KEY", private)
}

func writeAccountKey(files *keyFiles) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	if err := writePEM(files.accountPublicKey, "PUBLIC KEY", public); err != nil {
		return err
	}
	return writePEM(files.accountKey, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key))
}

func writeKubeconfig(files *keyFiles) error {
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: "https://" + address + ":" + securePort, CertificateAuthority: files.authority}
	config.AuthInfos["admin"] = &clientcmdapi.AuthInfo{ClientCertificate: files.adminCertificate, ClientKey: files.adminKey}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "admin"}
	config.CurrentContext = "test"
	if err := clientcmdapi.FlattenConfig(config); err != nil {
		return err
	}
	return clientcmd.WriteToFile(*config, files.kubeconfig)
}

func writePEM(path, kind string, bytes []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}), 0o600)
}
