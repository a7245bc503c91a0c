package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
)

const (
	token = "oracle"
	// startTimeout is generous: other programs may use the processors.
	startTimeout = 3 * time.Minute
)

// controlPlane runs etcd, the API server, the scheduler, the controller manager and Karpenter.
type controlPlane struct {
	programs, work string
	port           int
	processes      []*exec.Cmd
}

func (c *controlPlane) url() string { return fmt.Sprintf("https://127.0.0.1:%d", c.port) }

func (c *controlPlane) config() *rest.Config {
	return &rest.Config{
		Host: c.url(), BearerToken: token, QPS: 500, Burst: 1000,
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
}

func (c *controlPlane) file(name string) string { return filepath.Join(c.work, name) }

// start returns when the API server is ready.
func (c *controlPlane) start(ctx context.Context) error {
	if err := c.writeFiles(); err != nil {
		return err
	}
	etcd := fmt.Sprintf("http://127.0.0.1:%d", c.port+1)
	peers := fmt.Sprintf("http://127.0.0.1:%d", c.port+2)
	if _, err := c.spawn("etcd", nil, "--data-dir="+c.file("etcd"), "--unsafe-no-fsync", "--log-level=error",
		"--listen-client-urls="+etcd, "--advertise-client-urls="+etcd, "--listen-peer-urls="+peers,
		"--initial-advertise-peer-urls="+peers, "--initial-cluster=default="+peers); err != nil {
		return err
	}
	if _, err := c.spawn("kube-apiserver", nil, "--etcd-servers="+etcd, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.port), "--cert-dir="+c.file("certificates"), "--authorization-mode=AlwaysAllow",
		"--endpoint-reconciler-type=none", "--token-auth-file="+c.file("tokens"), "--service-cluster-ip-range=10.100.0.0/16",
		"--service-account-issuer=https://oracle", "--service-account-key-file="+c.file("key.pem"),
		"--service-account-signing-key-file="+c.file("key.pem"), "--disable-admission-plugins=ServiceAccount", "--enable-priority-and-fairness=false"); err != nil {
		return err
	}
	if err := c.waitFor(ctx, c.url()+"/readyz"); err != nil {
		return err
	}
	if _, err := c.spawn("kube-scheduler", nil, "--kubeconfig="+c.file("kubeconfig"), "--leader-elect=false", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.port+3), "--authentication-skip-lookup=true"); err != nil {
		return err
	}
	_, err := c.spawn("kube-controller-manager", nil, "--kubeconfig="+c.file("kubeconfig"), "--leader-elect=false", "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.port+4), "--authentication-skip-lookup=true",
		"--controllers=deployment-controller,replicaset-controller,statefulset-controller,daemonset-controller,job-controller,cronjob-controller,"+
			"disruption-controller,node-lifecycle-controller,taint-eviction-controller,garbage-collector-controller,pod-garbage-collector-controller,"+
			"namespace-controller",
		// No kubelet renews the leases of nodes.
		"--node-monitor-grace-period=10h")
	return err
}

// startKarpenter starts Karpenter, and reports the decisions in its log.
func (c *controlPlane) startKarpenter(f fleet, catalogue string, r *recorder) error {
	settings, err := json.Marshal(f.Settings)
	if err != nil {
		return err
	}
	command, err := c.spawn("karpenter", func(command *exec.Cmd) error {
		command.Stdout = io.MultiWriter(command.Stdout, &decisionLog{recorder: r})
		command.Env = append(os.Environ(), "KUBECONFIG="+c.file("kubeconfig"), "DISABLE_LEADER_ELECTION=true", "CLUSTER_NAME=oracle",
			fmt.Sprintf("METRICS_PORT=%d", c.port+5), fmt.Sprintf("HEALTH_PROBE_PORT=%d", c.port+6), "SYSTEM_NAMESPACE=kube-system",
			"ORACLE_CATALOGUE="+catalogue, "ORACLE_SETTINGS="+string(settings), "ORACLE_NODE_DELAY="+f.delay().String())
		if gates := f.gates(); gates != "" {
			command.Env = append(command.Env, "FEATURE_GATES="+gates)
		}
		return nil
	})
	if err != nil {
		return err
	}
	go func() {
		if err := command.Wait(); err != nil {
			r.event("karpenter ended", map[string]any{"error": err.Error()})
		}
	}()
	return nil
}

// spawn starts a program that ends with this one, and writes its output to a log.
func (c *controlPlane) spawn(program string, prepare func(*exec.Cmd) error, args ...string) (*exec.Cmd, error) {
	command := exec.Command(filepath.Join(c.programs, program), args...)
	log, err := os.Create(c.file(program + ".log"))
	if err != nil {
		return nil, err
	}
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if prepare != nil {
		if err := prepare(command); err != nil {
			return nil, err
		}
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	c.processes = append(c.processes, command)
	return command, nil
}

func (c *controlPlane) stop() {
	for _, process := range c.processes {
		_ = process.Process.Kill()
	}
}

func (c *controlPlane) writeFiles() error {
	if err := os.MkdirAll(c.work, 0o755); err != nil {
		return err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	kubeconfig := strings.NewReplacer("URL", c.url(), "TOKEN", token).Replace(`{"apiVersion": "v1", "kind": "Config", "current-context": "oracle",
"clusters": [{"name": "oracle", "cluster": {"server": "URL", "insecure-skip-tls-verify": true}}],
"users": [{"name": "oracle", "user": {"token": "TOKEN"}}],
"contexts": [{"name": "oracle", "context": {"cluster": "oracle", "user": "oracle"}}]}`)
	for name, content := range map[string][]byte{
		"key.pem":    pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
		"tokens":     []byte(token + ",admin,admin,system:masters\n"),
		"kubeconfig": []byte(kubeconfig),
	} {
		if err := os.WriteFile(c.file(name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *controlPlane) waitFor(ctx context.Context, url string) error {
	client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			return nil
		}
	}
	return fmt.Errorf("%s is not ready; see the logs in %s", url, c.work)
}
