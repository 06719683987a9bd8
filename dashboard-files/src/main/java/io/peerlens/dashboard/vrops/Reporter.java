package io.peerlens.dashboard.vrops;

import io.peerlens.dashboard.vrops.CollectorKeys.Sent;
import io.peerlens.dashboard.vrops.ImportReport.Figures;
import io.peerlens.dashboard.vrops.ImportReport.Gain;
import io.peerlens.dashboard.vrops.ImportReport.Item;
import io.peerlens.dashboard.vrops.ImportReport.Key;
import io.peerlens.dashboard.vrops.ImportReport.Level;
import io.peerlens.dashboard.vrops.ImportReport.Proposal;
import io.peerlens.dashboard.vrops.ImportReport.Settle;
import io.peerlens.dashboard.vrops.Installation.Here;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writer of the report: asks what is here and says of each column what becomes of it. What would
 * bring the rest is counted once for each column.
 */
final class Reporter {

  private static final Map<String, String> ADAPTERS =
      Map.of(
          "HorizonAdapter", "Horizon",
          "NSXTAdapter", "NSX",
          "KubernetesAdapter", "Kubernetes",
          "VirtualAndPhysicalSANAdapter", "vSAN",
          "APPOSUCP", "the agents of vROps");

  private final Installation installation;
  private final CollectorKeys keys;
  private final Map<String, JsonNode> superMetricsOfFile;
  private final Settlements settlements;
  private final Map<String, Integer> reporting = new HashMap<>();
  private final Map<String, Integer> objects = new HashMap<>();
  private final Map<String, Optional<Here>> superMetrics = new HashMap<>();

  /** Whether what a person has to settle counts where it is met. */
  private boolean settles = true;

  /** Super metrics that are needed and not in the file: names by ids. */
  final Map<UUID, String> neededSuperMetrics = new LinkedHashMap<>();

  final Set<String> neededGroups = new LinkedHashSet<>();
  final Set<String> neededCollectors = new LinkedHashSet<>();

  Reporter(
      Installation installation,
      CollectorKeys keys,
      Map<String, JsonNode> superMetricsOfFile,
      Settlements settlements) {
    this.installation = installation;
    this.keys = keys;
    this.superMetricsOfFile = superMetricsOfFile;
    this.settlements = settlements;
  }

  // --- columns ---

  /**
   * What becomes of a column.
   *
   * @param panel status of its panel, which holds for its columns where a person must choose
   */
  Item column(ColumnPart part, ImportStatus panel) {
    List<String> collectors = new ArrayList<>();
    List<String> words = new ArrayList<>();
    ImportStatus status = part.status;
    Proposal proposal = part.proposal;
    int all = -1;
    int now = -1;
    List<Key> read = List.of();
    if (!part.key.isEmpty()) {
      read = List.of(new Key(part.kinds, part.key, part.property));
      all = objects(part.kinds);
      words.add("`" + part.key + "`");
    }
    if (part.node != null && !part.key.isEmpty()) {
      if (part.superMetric != null) {
        UUID id = part.superMetric;
        Optional<Here> here = superMetric(id);
        now =
            here.isEmpty() ? 0 : reporting(part.kinds, "Super Metric|sm_" + here.get().id(), false);
        JsonNode inFile = superMetricsOfFile.get(id.toString());
        String name =
            here.map(Here::name)
                .orElseGet(
                    () ->
                        inFile != null
                            ? Members.text(inFile, "name")
                            : part.superMetricName.isEmpty() ? "sm_" + id : part.superMetricName);
        words.set(0, "super metric \"" + Names.line(name, "sm_" + id) + "\"");
        if (here.isPresent() && now == 0) {
          status = status.worse(ImportStatus.WAITS);
          words.add("is here and has no value yet; turn it on");
          collectors.add(CollectorKeys.SUPER_METRICS);
        } else if (here.isEmpty() && inFile != null) {
          status = status.worse(ImportStatus.WAITS);
          words.add("comes with the file; turn it on");
          collectors.add(CollectorKeys.SUPER_METRICS);
        } else if (here.isEmpty()) {
          status = status.worse(ImportStatus.MISSING);
          neededSuperMetrics.put(id, Names.line(name, "sm_" + id));
          words.add("is in neither the file nor here");
          Settle settle =
              settlements.add(
                  "superMetric:" + id,
                  ImportStatus.MISSING,
                  Names.line(name, "sm_" + id),
                  "super metric that is in neither the file nor here",
                  installation.superMetrics(),
                  false,
                  settles);
          proposal = settle.proposal();
        }
      } else {
        now = reporting(part.kinds, part.key, part.property);
        if (now == 0) {
          status = status.worse(ImportStatus.WAITS);
          collectors.addAll(collectors(part.kinds, part.key));
          words.add(waits(part, collectors, all));
        }
      }
    }
    if (!part.shows.isEmpty()) {
      words.add(part.shows);
    }
    words.addAll(part.notes);
    if (words.isEmpty()) {
      words.add("the same");
    }
    if (panel == ImportStatus.CHOOSE
        && (status == ImportStatus.CARRIED || status == ImportStatus.REPLACED)) {
      status = ImportStatus.CHOOSE;
    }
    neededCollectors.addAll(collectors);
    return leaf(
        Level.COLUMN,
        part.name(),
        part.title,
        status,
        sentence(words),
        "",
        read,
        now,
        all,
        collectors,
        proposal);
  }

  private String waits(ColumnPart part, List<String> collectors, int objects) {
    if (!collectors.isEmpty()) {
      List<String> own =
          collectors.stream()
              .map(it -> (it.equals("vcenter") ? "the " : "") + CollectorKeys.title(it))
              .toList();
      return "from " + String.join(" or ", own);
    }
    String key = part.key;
    String adapter =
        part.kinds.isEmpty()
            ? ""
            : part.kinds.getFirst().substring(0, part.kinds.getFirst().indexOf('/'));
    if (key.startsWith("cost|") || key.startsWith("metering|") || key.contains("price")) {
      return "costs are not known here yet";
    }
    if (key.startsWith("OnlineCapacityAnalytics|")
        || key.startsWith("summary|oversized")
        || key.startsWith("summary|undersized")
        || key.startsWith("reclaimable|")) {
      return "computed by vROps' capacity engine; nothing here sends it yet";
    }
    if (!adapter.isEmpty() && !adapter.equals("VMWARE")) {
      return "of "
          + ADAPTERS.getOrDefault(adapter, Names.cut(adapter, 60))
          + "; no collector of Peerlens sends it"
          + (objects == 0 ? ", and no such object is known here" : "");
    }
    return "no collector of Peerlens sends it; "
        + (part.property ? "a property" : "a metric")
        + " of this name may come by any other";
  }

  private List<String> collectors(List<String> kinds, String key) {
    Set<String> found = new LinkedHashSet<>();
    for (String kind : kinds) {
      Sent sent = keys.sent(kind, key);
      if (sent != null) {
        found.addAll(sent.collectors());
      }
    }
    return List.copyOf(found);
  }

  private int objects(List<String> kinds) {
    int sum = 0;
    for (String kind : kinds) {
      sum += objects.computeIfAbsent(kind, installation::objects);
    }
    return sum;
  }

  private int reporting(List<String> kinds, String key, boolean property) {
    int sum = 0;
    for (String kind : kinds) {
      sum +=
          reporting.computeIfAbsent(
              kind + '\n' + key + '\n' + property,
              any -> installation.reporting(kind, key, property));
    }
    return sum;
  }

  private Optional<Here> superMetric(UUID id) {
    return superMetrics.computeIfAbsent(
        id.toString(),
        any -> {
          String chosen = settlements.chosen("superMetric:" + id);
          return installation.superMetric(chosen == null ? id.toString() : chosen);
        });
  }

  // --- panels and dashboards ---

  Item panel(PanelPart part, String type) {
    List<Item> columns = part.columns.stream().map(it -> column(it, part.status)).toList();
    List<String> words = new ArrayList<>(part.notes);
    if (words.isEmpty()) {
      words.add("the same");
    }
    ImportStatus status = part.status;
    List<String> collectors = new ArrayList<>();
    int all = -1;
    if (columns.isEmpty() && !part.kinds.isEmpty()) {
      all = objects(part.kinds);
      if (all == 0 && (status == ImportStatus.CARRIED || status == ImportStatus.REPLACED)) {
        status = ImportStatus.WAITS;
        part.kinds.forEach(kind -> collectors.addAll(keys.ofKind(kind)));
        words.add("no " + kindWords(part.kinds) + " is known here yet");
        neededCollectors.addAll(collectors);
      }
    }
    String text = sentence(words);
    if (columns.isEmpty()) {
      return leaf(
          Level.PANEL,
          part.isPlaced ? part.name : "",
          part.title,
          status,
          text,
          type,
          List.of(),
          all,
          all,
          collectors.stream().distinct().toList(),
          part.proposal);
    }
    return tree(Level.PANEL, part.name, part.title, status, text, type, part.proposal, columns);
  }

  private static String kindWords(List<String> kinds) {
    String kind = kinds.getFirst();
    return kind.substring(kind.indexOf('/') + 1);
  }

  /**
   * What becomes of a view.
   *
   * @param alone whether no panel shows it, so that its columns count here
   */
  Item view(ViewPart part, boolean alone) {
    settles = alone;
    List<Item> columns = part.columns.stream().map(it -> column(it, part.status)).toList();
    settles = true;
    List<String> words = new ArrayList<>(part.notes);
    if (alone) {
      words.add("no dashboard of the file shows it");
    } else if (words.isEmpty()) {
      words.add("the same");
    }
    String type = part.node.path("show").asString(part.showsObjects ? "table" : "text");
    if (columns.isEmpty()) {
      return leaf(
          Level.VIEW,
          part.id.toString(),
          part.title,
          part.status,
          sentence(words),
          type,
          List.of(),
          -1,
          -1,
          List.of(),
          null);
    }
    return tree(
        Level.VIEW,
        part.id.toString(),
        part.title,
        part.status,
        sentence(words),
        type,
        null,
        columns);
  }

  static Item leaf(
      Level level,
      String id,
      String name,
      ImportStatus status,
      String text,
      String type,
      List<Key> keys,
      int reporting,
      int objects,
      List<String> collectors,
      @Nullable Proposal proposal) {
    boolean counts = level == Level.PANEL || level == Level.COLUMN || level == Level.VIEW;
    boolean now = status == ImportStatus.CARRIED || status == ImportStatus.REPLACED;
    return new Item(
        level,
        id,
        name,
        status,
        text,
        type,
        keys,
        reporting,
        objects,
        List.copyOf(collectors),
        proposal,
        new ImportReport.Columns(counts ? 1 : 0, counts && now ? 1 : 0),
        List.of());
  }

  static Item tree(
      Level level,
      String id,
      String name,
      ImportStatus status,
      String text,
      String type,
      @Nullable Proposal proposal,
      List<Item> items) {
    int all = items.stream().mapToInt(it -> it.columns().all()).sum();
    int now = items.stream().mapToInt(it -> it.columns().now()).sum();
    return new Item(
        level,
        id,
        name,
        status,
        text,
        type,
        List.of(),
        -1,
        -1,
        List.of(),
        proposal,
        new ImportReport.Columns(all, now),
        List.copyOf(items));
  }

  static String sentence(List<String> words) {
    return Names.cut(String.join("; ", words), 1000);
  }

  // --- figures ---

  static Figures figures(List<Item> items) {
    Map<ImportStatus, Integer> totals = new EnumMap<>(ImportStatus.class);
    for (ImportStatus status : ImportStatus.values()) {
      totals.put(status, 0);
    }
    Map<String, Integer> gains = new LinkedHashMap<>();
    int[] sums = new int[3];
    items.forEach(item -> count(item, totals, gains, sums));
    List<Gain> sorted =
        gains.entrySet().stream()
            .map(it -> new Gain(it.getKey(), CollectorKeys.title(it.getKey()), it.getValue()))
            .sorted(Comparator.comparingInt(Gain::columns).reversed())
            .toList();
    return new Figures(sums[0], totals, sums[1], sorted, sums[1] + sums[2]);
  }

  private static void count(
      Item item, Map<ImportStatus, Integer> totals, Map<String, Integer> gains, int[] sums) {
    if (!item.items().isEmpty()) {
      item.items().forEach(it -> count(it, totals, gains, sums));
      return;
    }
    if (item.columns().all() == 0) {
      return;
    }
    sums[0]++;
    sums[1] += item.columns().now();
    totals.merge(item.status(), 1, Integer::sum);
    if (item.status() == ImportStatus.WAITS && !item.collectors().isEmpty()) {
      sums[2]++;
      Set.copyOf(item.collectors()).forEach(it -> gains.merge(it, 1, Integer::sum));
    }
  }
}
