package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	karpv1 "sigs.k8s.io/karpenter/pkg/apis/v1"
)

// connection reads from a cache that watches the API server, and writes to the API server.
type connection struct {
	client.Client
	cache cache.Cache
}

// connect creates the CRDs, and returns when they are served.
func connect(ctx context.Context, plane *controlPlane, crds string) (*connection, error) {
	config := plane.config()
	if err := apiextensions.AddToScheme(scheme.Scheme); err != nil {
		return nil, err
	}
	if err := createCRDs(ctx, config, crds); err != nil {
		return nil, err
	}
	store, err := cache.New(config, cache.Options{Scheme: scheme.Scheme})
	if err != nil {
		return nil, err
	}
	for _, watched := range []client.Object{&corev1.Node{}, &corev1.Pod{}, &karpv1.NodeClaim{}} {
		if _, err := store.GetInformer(ctx, watched, cache.BlockUntilSynced(false)); err != nil {
			return nil, err
		}
	}
	go func() { _ = store.Start(ctx) }()
	if !store.WaitForCacheSync(ctx) {
		return nil, fmt.Errorf("the cache has no objects")
	}
	direct, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	return &connection{Client: direct, cache: store}, err
}

func createCRDs(ctx context.Context, config *rest.Config, folder string) error {
	direct, err := client.New(config, client.Options{Scheme: scheme.Scheme})
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no CRDs in %s", folder)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		crd := &apiextensions.CustomResourceDefinition{}
		if err := yaml.Unmarshal(text, crd); err != nil {
			return err
		}
		if err := direct.Create(ctx, crd); err != nil && !errors.IsAlreadyExists(err) {
			return err
		}
	}
	return eventually(ctx, func() error {
		fresh, err := client.New(config, client.Options{Scheme: scheme.Scheme})
		if err != nil {
			return err
		}
		for _, list := range []client.ObjectList{&karpv1.NodePoolList{}, &karpv1.NodeClaimList{}} {
			if err := fresh.List(ctx, list); err != nil {
				return err
			}
		}
		return nil
	})
}

// eventually repeats an action until it succeeds, for a minute at most, and returns its last error.
func eventually(ctx context.Context, action func() error) error {
	var err error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		if err = action(); err == nil {
			return err
		}
	}
	return err
}
