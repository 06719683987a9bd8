package io.peerlens.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * Manifests as the types of Kubernetes' own API: a field that it does not have, or a value of
 * another type, is an error. That needs no cluster. Not checked is what only a cluster checks, such
 * as fields that must be there.
 */
final class KubernetesObjects {

  private static final Map<String, Class<? extends HasMetadata>> TYPES =
      Map.of(
          "v1 ConfigMap", ConfigMap.class,
          "v1 Service", Service.class,
          "v1 ServiceAccount", ServiceAccount.class,
          "apps/v1 Deployment", Deployment.class,
          "autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
          "networking.k8s.io/v1 Ingress", Ingress.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class);

  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(
              new JacksonAnnotationIntrospector() {
                private static final long serialVersionUID = 1;

                /** The types keep what they do not know; here it is an error. */
                @Override
                public Boolean hasAnySetter(Annotated member) {
                  return false;
                }
              });

  private final List<HasMetadata> all;

  private KubernetesObjects(List<HasMetadata> all) {
    this.all = all;
  }

  /**
   * @throws AssertionError naming the object and its field that Kubernetes does not have
   */
  static KubernetesObjects parse(String yaml) {
    List<HasMetadata> all = new ArrayList<>();
    for (Object document : new Yaml().loadAll(yaml)) {
      if (document instanceof Map<?, ?> object) {
        String kind = object.get("apiVersion") + " " + object.get("kind");
        Class<? extends HasMetadata> type = TYPES.get(kind);
        if (type == null) {
          throw new AssertionError("Nobody expects a " + kind);
        }
        try {
          all.add(STRICT.readValue(STRICT.writeValueAsString(object), type));
        } catch (JsonProcessingException e) {
          throw new AssertionError(kind + " " + object.get("metadata") + ": " + e.getMessage(), e);
        }
      }
    }
    return new KubernetesObjects(List.copyOf(all));
  }

  Stream<HasMetadata> all() {
    return all.stream();
  }

  <T extends HasMetadata> List<T> of(Class<T> type) {
    return all.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
