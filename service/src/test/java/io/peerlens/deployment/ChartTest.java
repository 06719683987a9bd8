package io.peerlens.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.peerlens.node.Role;
import io.peerlens.support.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.yaml.snakeyaml.Yaml;

/** The Helm chart, rendered by Helm itself and read strictly as what Kubernetes would get. */
class ChartTest {

  private static final Path CHART = Path.of("..", "charts", "peerlens");

  private static final String OWN =
      """
      image: {repository: registry.example.com/peerlens/service}
      database:
        url: "jdbc:postgresql://db-a,db-b:5433/peerlens?targetServerType=primary"
        secret: {name: peerlens-database}
      kafka: {bootstrapServers: "kafka-a:9092,kafka-b:9094"}
      """;

  private static final String ALL =
      OWN
          + """
          secretsKey: {secret: peerlens-secrets-key}
          roles: {ingest: {autoscaling: {enabled: true, lagPerReplica: 20000000}}}
          settings: {peerlens.load.heavy-queue: 10000000, peerlens.disk.pause-below: 0.05, peerlens.flows.enabled: false, peerlens.rollup.lag: 2m}
          mappings: {sensors.yaml: "rules: []\\n"}
          ingress: {enabled: true, host: peerlens.example.com, tlsSecret: peerlens-tls, className: nginx, annotations: {a.example/b: "32m"}}
          nodeSelector: {disk: fast}
          tolerations: [{key: peerlens, operator: Exists, effect: NoSchedule}]
          spread: DoNotSchedule
          networkPolicy:
            pagesFrom: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ingress-nginx}}}]
            metricsFrom: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}]
            databaseTo: [{ipBlock: {cidr: 10.1.0.0/24}}]
            kafkaTo: [{ipBlock: {cidr: 10.2.0.0/24}}]
            outsideTo: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8]}}]
            evaluatorTo: [{ipBlock: {cidr: 10.3.0.0/24}}]
          """;

  @TempDir private static Path folder;
  private static Path program;

  @BeforeAll
  static void needHelm() {
    program = Programs.need("helm", "go install helm.sh/helm/v3/cmd/helm@v3.22.0");
  }

  @Test
  void ofEachRoleThereAreADeploymentABudgetAndANetworkPolicy() throws IOException {
    KubernetesObjects objects = render(OWN);
    List<String> names =
        Arrays.stream(Role.values())
            .map(role -> "p-peerlens-" + role.name().toLowerCase(Locale.ROOT))
            .toList();
    assertThat(names(objects.of(Deployment.class))).containsExactlyInAnyOrderElementsOf(names);
    assertThat(names(objects.of(PodDisruptionBudget.class)))
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(names(objects.of(NetworkPolicy.class))).containsExactlyInAnyOrderElementsOf(names);
    assertThat(objects.of(HorizontalPodAutoscaler.class)).isEmpty();
    assertThat(objects.of(Ingress.class)).isEmpty();
    for (Deployment deployment : objects.of(Deployment.class)) {
      assertThat(deployment.getMetadata().getName())
          .endsWith("-" + environment(deployment).get("PEERLENS_ROLES"));
    }
  }

  @Test
  void whatSelectsPodsSelectsThoseOfItsRoleAlone() throws IOException {
    KubernetesObjects objects = render(ALL);
    Map<String, Map<String, String>> selectors = new HashMap<>();
    objects
        .of(Deployment.class)
        .forEach(o -> selectors.put(key(o), o.getSpec().getSelector().getMatchLabels()));
    objects
        .of(PodDisruptionBudget.class)
        .forEach(o -> selectors.put(key(o), o.getSpec().getSelector().getMatchLabels()));
    objects
        .of(NetworkPolicy.class)
        .forEach(o -> selectors.put(key(o), o.getSpec().getPodSelector().getMatchLabels()));
    assertThat(selectors).hasSize(3 * Role.values().length);
    selectors.forEach(
        (name, selector) ->
            assertThat(selected(objects, selector))
                .as(name)
                .containsExactly(name.substring(name.indexOf(' ') + 1)));
    Service service = objects.of(Service.class).getFirst();
    assertThat(selected(objects, service.getSpec().getSelector()))
        .containsExactly("p-peerlens-api");
    for (Deployment deployment : objects.of(Deployment.class)) {
      pod(deployment)
          .getTopologySpreadConstraints()
          .forEach(
              spread ->
                  assertThat(selected(objects, spread.getLabelSelector().getMatchLabels()))
                      .containsExactly(deployment.getMetadata().getName()));
    }
  }

  @Test
  void podsMayDoLittleAndAreRestartedOnlyWhenTheyDoNotAnswer() throws IOException {
    for (Deployment deployment : render(ALL).of(Deployment.class)) {
      PodSpec pod = pod(deployment);
      Container container = pod.getContainers().getFirst();
      assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
      assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(userOfTheImage());
      assertThat(pod.getAutomountServiceAccountToken()).isFalse();
      assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
      assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
      assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
      assertThat(container.getLivenessProbe().getHttpGet().getPath()).isEqualTo("/health/liveness");
      assertThat(container.getStartupProbe().getHttpGet().getPath()).isEqualTo("/health/liveness");
      assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/health");
      assertThat(container.getResources().getLimits()).containsKey("memory");
      assertThat(container.getVolumeMounts().stream().map(mount -> mount.getName()))
          .containsExactlyInAnyOrderElementsOf(
              pod.getVolumes().stream().map(volume -> volume.getName()).toList());
    }
  }

  @Test
  void settingsArriveAsTheServiceReadsThem() throws IOException {
    Binder binder = binder(render(ALL).of(Deployment.class).getFirst());
    assertThat(binder.bind("peerlens.load.heavy-queue", Integer.class).get()).isEqualTo(10_000_000);
    assertThat(binder.bind("peerlens.disk.pause-below", Double.class).get()).isEqualTo(0.05);
    assertThat(binder.bind("peerlens.flows.enabled", Boolean.class).get()).isFalse();
    assertThat(binder.bind("peerlens.rollup.lag", String.class).get()).isEqualTo("2m");
    assertThat(binder.bind("peerlens.ingest.bootstrap-servers", String.class).get())
        .isEqualTo("kafka-a:9092,kafka-b:9094");
    assertThat(binder.bind("peerlens.ingest.mappings", String.class).get())
        .isEqualTo("/etc/peerlens/mappings");
    assertThat(binder.bind("peerlens.secrets.key-file", String.class).get())
        .isEqualTo("/etc/peerlens/secrets/secrets.key");
  }

  @Test
  void ingestGrowsByLagUpToThePartitions() throws IOException {
    KubernetesObjects objects = render(ALL);
    HorizontalPodAutoscaler autoscaler = objects.of(HorizontalPodAutoscaler.class).getFirst();
    assertThat(autoscaler.getSpec().getScaleTargetRef().getName()).isEqualTo("p-peerlens-ingest");
    assertThat(autoscaler.getSpec().getMinReplicas()).isEqualTo(2);
    assertThat(autoscaler.getSpec().getMaxReplicas()).isEqualTo(8);
    var metric = autoscaler.getSpec().getMetrics().getFirst().getExternal();
    assertThat(metric.getMetric().getName()).isEqualTo("peerlens_ingest_lag");
    assertThat(metric.getTarget().getAverageValue().getNumericalAmount())
        .isEqualByComparingTo("20000000");
    for (Deployment deployment : objects.of(Deployment.class)) {
      boolean ingest = deployment.getMetadata().getName().endsWith("-ingest");
      assertThat(deployment.getSpec().getReplicas()).isEqualTo(ingest ? null : (Integer) 2);
    }
  }

  @Test
  void ingestReachesDatabaseAndBrokersOnly() throws IOException {
    for (NetworkPolicy policy : render(OWN).of(NetworkPolicy.class)) {
      List<NetworkPolicyEgressRule> egress = policy.getSpec().getEgress();
      String role = policy.getMetadata().getLabels().get("app.kubernetes.io/component");
      boolean outside = List.of("api", "collector", "notifier").contains(role);
      assertThat(egress.stream().anyMatch(rule -> rule.getPorts().isEmpty()))
          .as(role)
          .isEqualTo(outside);
      assertThat(
              egress.stream()
                  .flatMap(rule -> rule.getPorts().stream())
                  .map(port -> port.getPort().getIntVal()))
          .containsExactly(53, 53, 5432, 5433, 9092, 9094);
      assertThat(policy.getSpec().getIngress()).hasSize(role.equals("api") ? 1 : 0);
    }
  }

  @Test
  void theValuesForOperatorsFitTheirExamples() throws IOException {
    Path values = CHART.resolve("values");
    KubernetesObjects objects =
        KubernetesObjects.parse(
            helm(
                List.of(
                    "--values",
                    values.resolve("cloudnativepg.yaml").toString(),
                    "--values",
                    values.resolve("strimzi.yaml").toString(),
                    "--set",
                    "image.repository=registry.example.com/peerlens/service")));
    Map<String, String> made = new HashMap<>();
    List<Object> partitions = new ArrayList<>();
    for (String example : List.of("cloudnativepg.yaml", "strimzi.yaml")) {
      for (Object document :
          new Yaml().loadAll(Files.readString(CHART.resolve("examples").resolve(example)))) {
        Map<?, ?> object = (Map<?, ?>) document;
        Map<?, ?> metadata = (Map<?, ?>) Objects.requireNonNull(object.get("metadata"));
        Map<?, ?> spec = (Map<?, ?>) Objects.requireNonNull(object.get("spec"));
        made.put(String.valueOf(object.get("kind")), String.valueOf(metadata.get("name")));
        if ("peerlens.metrics".equals(metadata.get("name"))) {
          partitions.add(spec.get("partitions"));
        }
      }
    }
    Map<?, ?> defaults = new Yaml().load(Files.readString(values.resolve("strimzi.yaml")));
    assertThat(partitions)
        .singleElement()
        .isEqualTo(((Map<?, ?>) Objects.requireNonNull(defaults.get("kafka"))).get("partitions"));

    Deployment ingest =
        objects.of(Deployment.class).stream()
            .filter(deployment -> deployment.getMetadata().getName().endsWith("-ingest"))
            .findFirst()
            .orElseThrow();
    Map<String, String> environment = environment(ingest);
    assertThat(environment)
        .containsEntry(
            "PEERLENS_DATABASE", "jdbc:postgresql://" + made.get("Cluster") + "-rw:5432/peerlens")
        .containsEntry("PEERLENS_DATABASE_PASSWORD", made.get("Cluster") + "-app/password")
        .containsEntry(
            "PEERLENS_INGEST_BOOTSTRAPSERVERS", made.get("Kafka") + "-kafka-bootstrap:9093");
    assertThat(pod(ingest).getVolumes())
        .anyMatch(
            volume ->
                volume.getSecret() != null
                    && volume
                        .getSecret()
                        .getSecretName()
                        .equals(made.get("Kafka") + "-cluster-ca-cert"));
    assertThat(
            binder(ingest)
                .bind("peerlens.ingest.kafka", Bindable.mapOf(String.class, String.class))
                .get())
        .isEqualTo(
            Map.of(
                "security.protocol", "SASL_SSL",
                "sasl.mechanism", "SCRAM-SHA-512",
                "sasl.jaas.config", made.get("KafkaUser") + "/sasl.jaas.config",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", "/etc/peerlens/kafka/ca.crt"));
  }

  @Test
  void aRoleWithoutReplicasIsNotThere() throws IOException {
    assertThat(
            render(OWN + "roles: {collector: {replicas: 0}, api: {replicas: 0}}")
                .all()
                .map(ChartTest::key))
        .isNotEmpty()
        .noneMatch(name -> name.contains("collector") || name.contains("api"))
        .doesNotContain("Service p-peerlens");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          image: {repository: ""}                           | image.repository is not set
          database: {url: ""}                               | database.url is not set
          database: {url: "mysql:x"}                        | at '/database/url': 'mysql:x' does not match pattern
          database: {url: "jdbc:postgresql://h/p?user=u"}   | database.url holds a user or a password
          database: {secret: {name: ""}}                    | database.secret.name is not set
          kafka: {bootstrapServers: ""}                     | kafka.bootstrapServers is not set
          kafka: {bootstrapServers: "a b"}                  | at '/kafka/bootstrapServers': 'a b' does not match pattern
          kafka: {partitions: 0}                            | at '/kafka/partitions': minimum: got 0, want 1
          roles: {ingest: {replicas: 9}}                    | roles.ingest.replicas is 9, but the topic has 8 partitions
          roles: {ingest: {autoscaling: {enabled: true, maxReplicas: 9}}} | roles.ingest.autoscaling.maxReplicas is 9, but the topic has 8 partitions
          roles: {ingest: {autoscaling: {enabled: true, maxReplicas: 1}}} | less than roles.ingest.replicas
          roles: {api: {replicas: many}}                    | at '/roles/api/replicas': got string, want integer
          roles: {king: {replicas: 1}}                      | additional properties 'king' not allowed
          roles: {api: {resources: {limits: {memory: 2GB}}}} | '2GB' does not match pattern
          settings: {peerlens.roles: api}                   | 'peerlens.roles' is set by the chart itself, from the value roles
          settings: {PEERLENS_LAG: 1}                       | 'PEERLENS_LAG' in settings is not the name of a setting
          mappings: {x.txt: "y"}                            | additional properties 'x.txt' not allowed
          ingress: {enabled: true}                          | ingress.host is not set
          networkPolicy: {pagesFrom: [{cidr: 10.0.0.0/8}]}  | additional properties 'cidr' not allowed
          """)
  void wrongValuesAreRefusedWithTheReason(String value, String reason) throws IOException {
    assertThatThrownBy(() -> helm(values(OWN), values(value))).hasMessageContaining(reason);
  }

  @Test
  void aFieldThatKubernetesDoesNotHaveIsFound() throws IOException {
    String yaml = helm(values(OWN));
    KubernetesObjects.parse(yaml);
    assertThatThrownBy(() -> KubernetesObjects.parse(yaml.replace("periodSeconds", "period")))
        .hasMessageContaining("\"period\"");
    assertThatThrownBy(
            () -> KubernetesObjects.parse(yaml.replace("maxUnavailable: 1", "maxUnavailabel: 1")))
        .hasMessageContaining("maxUnavailabel");
    assertThatThrownBy(() -> KubernetesObjects.parse(yaml.replace("replicas: 2", "replicas: two")))
        .hasMessageContaining("two");
  }

  private static KubernetesObjects render(String values) throws IOException {
    return KubernetesObjects.parse(helm(values(values)));
  }

  private static List<String> values(String values) throws IOException {
    Path file = Files.createTempFile(folder, "values", ".yaml");
    Files.writeString(file, values);
    return List.of("--values", file.toString());
  }

  /** What Helm renders, which is what Kubernetes would get. */
  @SafeVarargs
  private static String helm(List<String>... values) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(), "template", "p", CHART.toString(), "--kube-version", "1.33.0"));
    Stream.of(values).forEach(command::addAll);
    Programs.Result result = Programs.run(Map.of(), command);
    if (result.exitCode() != 0) {
      throw new AssertionError(result.output());
    }
    return result.output();
  }

  private static List<String> names(List<? extends HasMetadata> objects) {
    return objects.stream().map(object -> object.getMetadata().getName()).toList();
  }

  private static String key(HasMetadata object) {
    return object.getKind() + " " + object.getMetadata().getName();
  }

  /** Names of the deployments whose pods have these labels. */
  private static List<String> selected(KubernetesObjects objects, Map<String, String> labels) {
    return names(
        objects.of(Deployment.class).stream()
            .filter(
                deployment ->
                    deployment
                        .getSpec()
                        .getTemplate()
                        .getMetadata()
                        .getLabels()
                        .entrySet()
                        .containsAll(labels.entrySet()))
            .toList());
  }

  private static PodSpec pod(Deployment deployment) {
    return deployment.getSpec().getTemplate().getSpec();
  }

  /** Variables of the container; of one from a Secret its name and key. */
  private static Map<String, String> environment(Deployment deployment) {
    Map<String, String> environment = new HashMap<>();
    for (EnvVar variable : pod(deployment).getContainers().getFirst().getEnv()) {
      String value =
          variable.getValueFrom() == null
              ? variable.getValue()
              : variable.getValueFrom().getSecretKeyRef().getName()
                  + "/"
                  + variable.getValueFrom().getSecretKeyRef().getKey();
      assertThat(environment.put(variable.getName(), value)).isNull();
    }
    return environment;
  }

  private static Binder binder(Deployment deployment) {
    return new Binder(
        StreamSupport.stream(
                ConfigurationPropertySources.from(
                        new SystemEnvironmentPropertySource(
                            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                            new HashMap<>(environment(deployment))))
                    .spliterator(),
                false)
            .toList());
  }

  private static long userOfTheImage() throws IOException {
    return Files.readAllLines(Path.of("..", "docker", "service", "Dockerfile")).stream()
        .filter(line -> line.startsWith("USER "))
        .map(line -> Long.parseLong(line.substring(5, line.indexOf(':'))))
        .findFirst()
        .orElseThrow();
  }
}
