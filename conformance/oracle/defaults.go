package oracle

import (
	"encoding/json"

	"github.com/samber/lo"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"

	"github.com/aws/karpenter-provider-aws/pkg/apis"
)

// schemas are those of hashed objects, because the API server's defaults are part of the hashes.
var schemas = func() map[string]*structuralschema.Structural {
	result := map[string]*structuralschema.Structural{}
	for _, crd := range apis.CRDs {
		if kind := crd.Spec.Names.Kind; kind == "NodePool" || kind == "EC2NodeClass" {
			internal := &apiextensions.CustomResourceValidation{}
			lo.Must0(apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(crd.Spec.Versions[0].Schema, internal, nil))
			result[kind] = lo.Must(structuralschema.NewStructural(internal.OpenAPIV3Schema))
		}
	}
	return result
}()

// withDefaults returns the object with the API server's defaults.
func withDefaults(raw json.RawMessage) (json.RawMessage, error) {
	object := map[string]any{}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	kind, _ := object["kind"].(string)
	if schemas[kind] == nil {
		return raw, nil
	}
	structuraldefaulting.Default(object, schemas[kind])
	return json.Marshal(object)
}
