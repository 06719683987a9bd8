package io.peerlens.suiteapi;

import io.peerlens.suiteapi.ResourceKindQueries.Counted;
import io.peerlens.suiteapi.ResourceKindQueries.Key;
import io.peerlens.suiteapi.ResourceKindQueries.Kind;
import io.peerlens.words.MetricNames;
import io.peerlens.words.MetricWords;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Adapter kinds, resource kinds, what resources of a kind report, and adapter instances. */
final class KindOperations {

  private final ResourceKindQueries queries;
  private final ResourceQueries resources;
  private final ResourceForm form;
  private final MetricNames names;
  private final InstantSource clock;

  KindOperations(
      ResourceKindQueries queries,
      ResourceQueries resources,
      ResourceForm form,
      MetricNames names,
      InstantSource clock) {
    this.queries = queries;
    this.resources = resources;
    this.form = form;
    this.names = names;
    this.clock = clock;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/adapterkinds", this::adapterKinds)
        .get("/api/adapterkinds/{ak}", call -> Answer.ok(adapterKind(call.variable("ak"))))
        .get("/api/adapterkinds/{ak}/resourcekinds", this::resourceKinds)
        .get("/api/adapterkinds/{ak}/resourcekinds/{rk}", this::resourceKind)
        .get("/api/adapterkinds/{ak}/resourcekinds/{rk}/statkeys", this::statKeys)
        .get("/api/adapterkinds/{ak}/resourcekinds/{rk}/properties", this::properties)
        .get("/api/adapters", this::adapters)
        .get("/api/adapters/{id}", this::adapter)
        .get("/api/collectors", this::collectors)
        .get("/api/collectors/{id}/adapters", this::adaptersOfCollector)
        .get("/api/collectorgroups", this::collectorGroups)
        .get("/api/collectorgroups/{id}", call -> Answer.ok(collectorGroup(call.variable("id"))))
        .get("/api/credentials", call -> Answer.ok(Json.object("credentialInstances", List.of())))
        .get(
            "/api/credentials/{id}",
            call -> {
              throw SuiteException.notFound("credential", call.variable("id"));
            })
        .get("/api/credentialkinds", call -> Answer.ok(Json.object("credentialTypes", List.of())));
  }

  private Map<String, List<String>> kindsByAdapter() {
    Map<String, List<String>> kinds = new TreeMap<>();
    for (Kind kind : queries.kinds()) {
      kinds.computeIfAbsent(kind.adapterKind(), k -> new ArrayList<>()).add(kind.objectKind());
    }
    return kinds;
  }

  private Answer adapterKinds(Call call) {
    List<String> wanted = call.query().lower("adapterKindKey", "adapterKind");
    List<Object> all = new ArrayList<>();
    kindsByAdapter()
        .forEach(
            (key, kinds) -> {
              if (wanted.isEmpty() || wanted.contains(key.toLowerCase(Locale.ROOT))) {
                all.add(adapterKind(key, kinds));
              }
            });
    return Answer.ok(Json.object("adapter-kind", all));
  }

  private Object adapterKind(String key) {
    return kindsByAdapter().entrySet().stream()
        .filter(entry -> entry.getKey().equalsIgnoreCase(key))
        .findFirst()
        .map(entry -> adapterKind(entry.getKey(), entry.getValue()))
        .orElseThrow(() -> SuiteException.notFound("adapter kind", key));
  }

  private static Object adapterKind(String key, List<String> kinds) {
    return Json.object(
        "key",
        key,
        "name",
        key.equals("VMWARE") ? "vCenter Adapter" : key,
        "description",
        "Objects of " + key,
        "adapterKindType",
        key.equals("VMWARE") ? "GENERAL" : "OPENAPI",
        "describeVersion",
        1,
        "identifiers",
        List.of(),
        "resourceKinds",
        kinds);
  }

  private Answer resourceKinds(Call call) {
    String key = call.variable("ak");
    Map.Entry<String, List<String>> adapter =
        kindsByAdapter().entrySet().stream()
            .filter(entry -> entry.getKey().equalsIgnoreCase(key))
            .findFirst()
            .orElseThrow(() -> SuiteException.notFound("adapter kind", key));
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "adapterKind",
            adapter.getKey(),
            "resource-kind",
            page.of(adapter.getValue()).stream()
                .map(kind -> form(new Kind(adapter.getKey(), kind)))
                .toList()));
  }

  private static Object form(Kind kind) {
    return Json.object(
        "key",
        kind.objectKind(),
        "name",
        kind.objectKind(),
        "adapterKind",
        kind.adapterKind(),
        "resourceKindType",
        kind.objectKind().equals(Adapters.INSTANCE_KIND) ? "ADAPTER_INSTANCE" : "GENERAL",
        "resourceKindSubType",
        "NONE");
  }

  private Kind kind(Call call) {
    String adapterKind = call.variable("ak");
    String resourceKind = call.variable("rk");
    return queries
        .kind(adapterKind, resourceKind)
        .orElseThrow(
            () -> SuiteException.notFound("resource kind", adapterKind + "/" + resourceKind));
  }

  private Answer resourceKind(Call call) {
    return Answer.ok(form(kind(call)));
  }

  private Answer statKeys(Call call) {
    Kind kind = kind(call);
    Set<String> wanted = new HashSet<>(call.query().texts("attributeKeys", "attributeKey"));
    List<Object> all = new ArrayList<>();
    for (Key key : queries.metrics(kind)) {
      String text = key.text();
      if (wanted.isEmpty() || wanted.contains(text)) {
        String words = names.words(text);
        all.add(
            attribute(
                text, words, key.unit(), key.instanced() ? "INSTANCED" : "AGGREGATED", false));
      }
    }
    return Answer.ok(Json.object("resourceTypeAttributes", all));
  }

  private Answer properties(Call call) {
    Kind kind = kind(call);
    Set<String> wanted = new HashSet<>(call.query().texts("attributeKeys", "attributeKey"));
    List<Object> all = new ArrayList<>();
    for (String key : queries.properties(kind)) {
      if (wanted.isEmpty() || wanted.contains(key)) {
        all.add(attribute(key, MetricWords.ofProperty(key), null, "AGGREGATED", true));
      }
    }
    return Answer.ok(Json.object("resourceTypeAttributes", all));
  }

  private static Object attribute(
      String key, String words, @Nullable String unit, String instanceType, boolean property) {
    return Json.object(
        "key",
        key,
        "name",
        words,
        "description",
        words,
        "unit",
        unit == null ? "" : unit,
        "rollupType",
        property ? "NONE" : "AVG",
        "instanceType",
        instanceType,
        // The former list of types has no fractions.
        "dataType",
        property ? "STRING" : "UNKNOWN",
        "dataType2",
        property ? "STRING" : "FLOAT",
        "defaultMonitored",
        true,
        "property",
        property);
  }

  // -------------------------------------------------------------------------------------- adapters

  private Answer adapters(Call call) {
    List<String> wanted = call.query().lower("adapterKindKey", "adapterKind");
    return Answer.ok(
        Json.object(
            "adapterInstancesInfoDto",
            instances().stream()
                .filter(
                    one ->
                        wanted.isEmpty()
                            || wanted.contains(one.adapterKind().toLowerCase(Locale.ROOT)))
                .map(Instance::form)
                .toList()));
  }

  private Answer adapter(Call call) {
    String id = call.variable("id");
    return Answer.ok(
        instances().stream()
            .filter(one -> one.id().toString().equalsIgnoreCase(id))
            .findFirst()
            .orElseThrow(() -> SuiteException.notFound("adapter instance", id))
            .form());
  }

  private record Instance(UUID id, String adapterKind, Object form) {}

  private List<Instance> instances() {
    Map<String, UUID> vCenters = resources.instances();
    List<Counted> counts = queries.counts();
    List<Instance> all = new ArrayList<>();
    for (Resource vCenter : resources.byUuids(vCenters.values())) {
      long objects = 0;
      Long newest = null;
      for (Counted one : counts) {
        if (one.source().equals(vCenter.externalId())) {
          objects += one.objects();
          newest = later(newest, one.newest());
        }
      }
      all.add(instance(vCenter.uuid(), vCenter.adapterKind(), form.key(vCenter), newest, objects));
    }
    Map<String, Long> rest = new TreeMap<>();
    Map<String, Long> newest = new TreeMap<>();
    for (Counted one : counts) {
      if (!vCenters.containsKey(one.source())) {
        rest.merge(one.adapterKind(), one.objects(), Long::sum);
        Long seen = later(newest.get(one.adapterKind()), one.newest());
        if (seen != null) {
          newest.put(one.adapterKind(), seen);
        }
      }
    }
    rest.forEach(
        (kind, objects) ->
            all.add(
                instance(
                    Adapters.standIn(kind),
                    kind,
                    ResourceForm.key(kind, kind, kind + " Adapter Instance", Map.of()),
                    newest.get(kind),
                    objects)));
    return all;
  }

  // ------------------------------------------------------------------------------------ collectors

  private Answer collectors(Call call) {
    List<String> wanted = call.query().texts("host");
    boolean isWanted = wanted.isEmpty() || wanted.contains(Adapters.COLLECTOR);
    return Answer.ok(Json.object("collector", isWanted ? List.of(collector()) : List.of()));
  }

  /** All that reports values, as one: what Kafka brings says nothing of who has sent it. */
  private Object collector() {
    List<Instance> instances = instances();
    return Json.object(
        "id",
        String.valueOf(Adapters.COLLECTOR_ID),
        "uuId",
        Adapters.COLLECTOR_UUID,
        "name",
        Adapters.COLLECTOR,
        "hostName",
        Adapters.COLLECTOR,
        "local",
        true,
        "state",
        "UP",
        "type",
        "INTERNAL",
        "lastHeartbeat",
        clock.millis(),
        "adapterInstanceIds",
        instances.stream().map(Instance::id).toList(),
        "links",
        List.of());
  }

  private Answer adaptersOfCollector(Call call) {
    if (!call.variable("id").equals(String.valueOf(Adapters.COLLECTOR_ID))) {
      throw SuiteException.notFound("collector", call.variable("id"));
    }
    return Answer.ok(
        Json.object("adapterInstancesInfoDto", instances().stream().map(Instance::form).toList()));
  }

  private Answer collectorGroups(Call call) {
    return Answer.ok(
        Json.object(
            "collectorGroups", List.of(collectorGroup(Adapters.COLLECTOR_GROUP.toString()))));
  }

  private static Object collectorGroup(String id) {
    if (!id.equalsIgnoreCase(Adapters.COLLECTOR_GROUP.toString())) {
      throw SuiteException.notFound("collector group", id);
    }
    return Json.object(
        "id",
        Adapters.COLLECTOR_GROUP,
        "name",
        "Default collector group",
        "description",
        "All that reports values",
        "collectorId",
        List.of(Adapters.COLLECTOR_ID),
        "systemDefined",
        true,
        "haEnabled",
        false,
        "links",
        List.of());
  }

  private static @Nullable Long later(@Nullable Long one, @Nullable Long other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.max(one, other);
  }

  private static Instance instance(
      UUID id, String adapterKind, Object key, @Nullable Long newest, long objects) {
    return new Instance(
        id,
        adapterKind,
        Json.object(
            "resourceKey",
            key,
            "collectorId",
            Adapters.COLLECTOR_ID,
            "lastHeartbeat",
            newest,
            "lastCollected",
            newest,
            "numberOfResourcesCollected",
            objects,
            "messageFromAdapterInstance",
            "",
            "id",
            id));
  }
}
