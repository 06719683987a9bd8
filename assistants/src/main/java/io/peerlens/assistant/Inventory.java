package io.peerlens.assistant;

import io.peerlens.api.KindsApi;
import io.peerlens.api.ObjectsApi;
import io.peerlens.api.model.ManagedObject;
import io.peerlens.api.model.ObjectKind;
import io.peerlens.api.model.ObjectMetric;
import io.peerlens.api.model.ObjectPage;
import io.peerlens.api.model.ObjectQuery;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.SeriesQuery;
import io.peerlens.load.ReadOperations;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/** Inventory as people name it: objects, kinds and metrics from words. */
final class Inventory {

  static final String OBJECT =
      "An object: its id, or words such as \"web-17\" or \"vm web-17\"; when several match they are listed.";

  private static final int CANDIDATES = 10;

  /** What people call kinds, without case, spaces and a plural s. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("vm", "VirtualMachine"),
          Map.entry("virtualmachine", "VirtualMachine"),
          Map.entry("guest", "VirtualMachine"),
          Map.entry("host", "HostSystem"),
          Map.entry("hypervisor", "HostSystem"),
          Map.entry("esx", "HostSystem"),
          Map.entry("esxi", "HostSystem"),
          Map.entry("cluster", "ClusterComputeResource"),
          Map.entry("datacentre", "Datacenter"),
          Map.entry("pool", "ResourcePool"),
          Map.entry("vapp", "VirtualApp"),
          Map.entry("switch", "DistributedVirtualSwitch"),
          Map.entry("portgroup", "DistributedVirtualPortgroup"));

  private final ReadOperations operations;

  Inventory(ReadOperations operations) {
    this.operations = operations;
  }

  /** The body of an answer, which operations that read always have. */
  static <T> T body(ResponseEntity<T> answer) {
    return Objects.requireNonNull(answer.getBody());
  }

  ObjectsApi objects() {
    return operations.of(ObjectsApi.class);
  }

  /**
   * The object that an argument names.
   *
   * @throws ToolProblem when there is none or several
   */
  ManagedObject object(String argument, String words) {
    UUID id = id(words);
    if (id != null) {
      try {
        return body(objects().getObject(id));
      } catch (ApiException e) {
        if (e.code() != ErrorCode.NOT_FOUND) {
          throw e;
        }
        throw ToolProblem.argument(
            argument, "there is no object " + id, "Find its id with find_objects.");
      }
    }
    if (words.length() > 190) {
      throw ToolProblem.argument(
          argument, "is longer than 190 characters", "Give an id, or a part of the name.");
    }
    String kind = null;
    String name = words;
    int space = words.indexOf(' ');
    if (space > 0) {
      kind = kindOf(words.substring(0, space));
      name = kind == null ? words : words.substring(space + 1).strip();
    }
    List<ManagedObject> exact = named(name, kind);
    if (exact.isEmpty() && kind != null) {
      exact = named(words, null); // the first word belongs to the name
    }
    if (exact.size() == 1) {
      return exact.getFirst();
    }
    ObjectPage found = exact.isEmpty() ? find(name, kind) : page(exact);
    if (found.getItems().isEmpty() && kind != null) {
      found = find(words, null);
    }
    if (exact.isEmpty() && found.getItems().size() == 1) {
      return found.getItems().getFirst();
    }
    if (found.getItems().isEmpty()) {
      throw ToolProblem.argument(
          argument,
          "no object matches \"" + PlainText.of(words, 60) + "\"",
          "Give a part of the name, or look with find_objects.");
    }
    throw ToolProblem.argument(
            argument,
            found.getTotal() + " objects match \"" + PlainText.of(words, 60) + "\"",
            "Call again with one of these ids; ask the user which one is meant when it is not clear.")
        .with(
            "candidates",
            found.getItems().stream().limit(CANDIDATES).map(one -> row(one, true)).toList());
  }

  /** Objects that are named exactly so. */
  private List<ManagedObject> named(String name, @Nullable String kind) {
    // With a star it is a pattern of the whole name, and the name itself is first of what begins
    // so.
    ObjectQuery query =
        new ObjectQuery()
            .name(name + "*")
            .objectKind(kind == null ? null : List.of(kind))
            .withPath(true)
            .limit(100);
    return body(objects().queryObjects(query)).getItems().stream()
        .filter(one -> one.getName().equalsIgnoreCase(name))
        .toList();
  }

  /** Objects with all of these words. */
  private ObjectPage find(String words, @Nullable String kind) {
    return body(
        objects()
            .queryObjects(
                new ObjectQuery()
                    .q(words)
                    .objectKind(kind == null ? null : List.of(kind))
                    .withPath(true)
                    .limit(CANDIDATES)));
  }

  private static ObjectPage page(List<ManagedObject> items) {
    return new ObjectPage(items, null, (long) items.size());
  }

  /** The ids of several objects, by words. */
  List<ManagedObject> objects(String argument, List<String> words) {
    List<ManagedObject> found = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      ManagedObject one = object(argument + "[" + i + "]", words.get(i));
      if (found.stream().noneMatch(other -> other.getId().equals(one.getId()))) {
        found.add(one);
      }
    }
    return found;
  }

  /** The id of the object that an argument names; null when it is left out. */
  @Nullable UUID idOf(String argument, @Nullable String words) {
    return words == null ? null : object(argument, words).getId();
  }

  static @Nullable UUID id(String text) {
    try {
      return text.length() == 36 ? UUID.fromString(text) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  List<ObjectKind> kinds() {
    return body(operations.of(KindsApi.class).listAdapterKinds()).getItems().stream()
        .flatMap(adapter -> adapter.getObjectKinds().stream())
        .toList();
  }

  private @Nullable String kindOf(String word) {
    String name = plain(word);
    String meant = plain(KINDS.getOrDefault(name, name));
    return kinds().stream()
        .map(ObjectKind::getObjectKind)
        .filter(kind -> plain(kind).equals(meant))
        .findFirst()
        .orElse(null);
  }

  private static String plain(String word) {
    String name = word.toLowerCase(Locale.ROOT).replaceAll("[\\s_-]", "");
    return name.endsWith("s") && !name.endsWith("ss") ? name.substring(0, name.length() - 1) : name;
  }

  /**
   * The kind that an argument names.
   *
   * @throws ToolProblem when there is none or several
   */
  ObjectKind kind(String argument, String words) {
    String name = plain(words.substring(words.indexOf('/') + 1));
    String meant = plain(KINDS.getOrDefault(name, name));
    int slash = words.indexOf('/');
    List<ObjectKind> all = kinds();
    List<ObjectKind> found =
        all.stream()
            .filter(kind -> plain(kind.getObjectKind()).equals(meant))
            .filter(
                kind ->
                    slash < 0 || kind.getAdapterKind().equalsIgnoreCase(words.substring(0, slash)))
            .toList();
    if (found.size() == 1) {
      return found.getFirst();
    }
    throw ToolProblem.argument(
            argument,
            found.isEmpty()
                ? "there is no kind \"" + PlainText.of(words, 60) + "\""
                : found.size() + " adapters have this kind",
            found.isEmpty() ? "Give one of these kinds." : "Give it as adapter/kind, as listed.")
        .with(
            "kinds",
            (found.isEmpty() ? all : found)
                .stream()
                    .sorted(Comparator.comparing(ObjectKind::getObjects).reversed())
                    .limit(Answer.ROWS)
                    .map(one -> one.getAdapterKind() + "/" + one.getObjectKind())
                    .toList());
  }

  /** Keys of metrics of a kind. */
  List<String> keys(ObjectKind kind) {
    return body(
            operations
                .of(KindsApi.class)
                .listKindMetrics(kind.getAdapterKind(), kind.getObjectKind()))
        .getItems()
        .stream()
        .map(io.peerlens.api.model.KindMetric::getKey)
        .toList();
  }

  /** Metrics of an object. */
  List<ObjectMetric> metrics(UUID object, boolean newest) {
    return body(objects().listObjectMetrics(object, null, newest)).getItems();
  }

  /** The problem of a metric that is not there, with the keys that are nearest to it. */
  static ToolProblem noMetric(String argument, String key, List<String> known) {
    List<String> near = NearKeys.of(key, known);
    return ToolProblem.argument(
            argument,
            "the metric \"" + PlainText.of(key, 100) + "\" is not there",
            near.isEmpty()
                ? "Take a key from list_metrics; keys are group|metric."
                : "Take one of the nearest keys, or one from list_metrics.")
        .with("nearest", near);
  }

  /** What of a query names a metric without a group. */
  static void checkKeys(String argument, List<String> keys) {
    for (String key : keys) {
      if (key.length() < 3 || key.length() > 500) {
        throw ToolProblem.argument(
            argument,
            "\"" + PlainText.of(key, 60) + "\" is no key of a metric",
            "Give group|metric, such as cpu|usage_average; list_metrics has them.");
      }
    }
  }

  /** A short description of an object. */
  static Map<String, Object> row(ManagedObject one, boolean path) {
    return Answer.row(
        "id", one.getId(),
        "kind", one.getObjectKind(),
        "name", one.getName(),
        "state", one.getState().getValue(),
        "path", path && one.getPath() != null ? one.getPath() : null);
  }

  static Map<String, Object> row(ManagedObject one) {
    return Answer.row("id", one.getId(), "kind", one.getObjectKind(), "name", one.getName());
  }

  static @Nullable Map<String, Object> row(@Nullable ObjectRef one) {
    return one == null
        ? null
        : Answer.row("id", one.getId(), "kind", one.getObjectKind(), "name", one.getName());
  }

  /** A query of series with what it always needs. */
  static SeriesQuery series(List<UUID> objects, List<String> metrics, TimeSpan span) {
    return new SeriesQuery(objects, metrics, span.from().toString(), span.to().toString());
  }
}
