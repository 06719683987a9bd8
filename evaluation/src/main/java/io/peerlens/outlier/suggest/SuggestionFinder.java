package io.peerlens.outlier.suggest;

import io.peerlens.api.model.Impact;
import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.OutlierAlert;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierMetricEdit;
import io.peerlens.api.model.OutlierSuggestionKind;
import io.peerlens.api.model.Scope;
import io.peerlens.api.model.Severity;
import io.peerlens.frame.Means;
import io.peerlens.outlier.suggest.SuggestionQueries.Candidate;
import io.peerlens.outlier.suggest.SuggestionQueries.Cluster;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finder of suggested groups: the hosts of each cluster, the objects that share the value of a tag
 * or of two, and those of a kind and size whose metrics have moved together over the last days.
 * What it costs is bounded by how many objects it looks at.
 */
public final class SuggestionFinder {

  private static final int FEWEST = 3;
  private static final int MOST = 200;
  private static final int MOST_OBJECTS = 20_000;
  private static final int MOST_CORRELATED = 1_500;
  private static final int HOURS = 72;
  private static final Duration HEARD = Duration.ofDays(1);

  /** This part of the objects of a kind has to have a metric. */
  private static final double HAVE = 0.8;

  /** What groups are compared in, the most telling first: one key for each of them. */
  private static final List<Pattern> METRICS =
      List.of(
          Pattern.compile("cpu\\|(usage_average|usage_active|usage_percent.*)"),
          Pattern.compile("net\\|(usage_average|bytes_recv.*|received_average|bytesRx_average)"),
          Pattern.compile("mem\\|(usage_average|used_percent|active_average)"));

  private final SuggestionQueries queries;
  private final Means means;

  public SuggestionFinder(SuggestionQueries queries, Means means) {
    this.queries = queries;
    this.means = means;
  }

  /** All of them, the best first, whatever exists already. */
  List<Suggestion> find(Instant now) {
    Map<ObjectKind, List<Candidate>> candidates =
        queries.candidates(now.minus(HEARD), MOST_OBJECTS);
    Map<ObjectKind, Map<String, Integer>> keys = queries.keys();
    List<Suggestion> found = new ArrayList<>(correlated(candidates, keys, now));
    List<Suggestion> starters = new ArrayList<>(clusters(candidates, keys));
    starters.addAll(tags(candidates, keys));
    // Of two that hold the same objects the one that was found first stays.
    for (Suggestion starter : starters) {
      if (found.stream().noneMatch(one -> Arrays.equals(one.members(), starter.members()))) {
        found.add(starter);
      }
    }
    return found;
  }

  // Starters ------------------------------------------------------------------------------------

  private List<Suggestion> clusters(
      Map<ObjectKind, List<Candidate>> candidates, Map<ObjectKind, Map<String, Integer>> keys) {
    List<Suggestion> found = new ArrayList<>();
    Map<Integer, Candidate> byId = new HashMap<>();
    candidates.values().forEach(list -> list.forEach(one -> byId.put(one.id(), one)));
    for (Cluster cluster : queries.clusters()) {
      List<Candidate> hosts =
          cluster.hosts().stream().filter(byId::containsKey).map(byId::get).toList();
      if (hosts.size() >= FEWEST && hosts.size() <= MOST) {
        ObjectKind kind = hosts.getFirst().kind();
        add(
            found,
            Suggestion.id("cluster " + cluster.id()),
            OutlierSuggestionKind.STARTER,
            "%d hosts of the cluster %s".formatted(hosts.size(), cluster.name()),
            hosts,
            null,
            edit(
                "Hosts of " + cluster.name(),
                kind,
                new Scope().ancestors(List.of(cluster.id())),
                keys(kind, hosts.size(), candidates, keys)));
      }
    }
    return found;
  }

  private static List<Suggestion> tags(
      Map<ObjectKind, List<Candidate>> candidates, Map<ObjectKind, Map<String, Integer>> keys) {
    List<Suggestion> found = new ArrayList<>();
    candidates.forEach(
        (kind, objects) -> {
          for (TagStarters.Found one : TagStarters.of(objects)) {
            add(
                found,
                Suggestion.id("tag " + kind + " " + String.join(" ", one.tags())),
                OutlierSuggestionKind.STARTER,
                "%d %s share the tag%s %s"
                    .formatted(
                        one.members().size(),
                        plural(kind),
                        one.tags().size() == 1 ? "" : "s",
                        String.join(" and ", one.tags())),
                one.members(),
                null,
                edit(
                    plural(kind) + " with " + String.join(" and ", one.tags()),
                    kind,
                    new Scope().tags(one.tags()),
                    keys(kind, one.members().size(), candidates, keys)));
          }
        });
    return found;
  }

  private static void add(
      List<Suggestion> found,
      UUID id,
      OutlierSuggestionKind kind,
      String reason,
      List<Candidate> members,
      @Nullable Double correlation,
      OutlierGroupEdit group) {
    if (!group.getMetrics().isEmpty()) {
      found.add(
          new Suggestion(
              id,
              kind,
              reason,
              Suggestion.sorted(members.stream().map(Candidate::id).toList()),
              correlation,
              group));
    }
  }

  // Correlation ---------------------------------------------------------------------------------

  private List<Suggestion> correlated(
      Map<ObjectKind, List<Candidate>> candidates,
      Map<ObjectKind, Map<String, Integer>> keys,
      Instant now) {
    List<Suggestion> found = new ArrayList<>();
    Instant from = now.truncatedTo(ChronoUnit.HOURS).minus(HOURS, ChronoUnit.HOURS);
    candidates.forEach(
        (kind, objects) -> {
          List<String> metrics = keys(kind, objects.size(), candidates, keys);
          Map<String, List<Candidate>> bySize =
              objects.stream()
                  .collect(
                      Collectors.groupingBy(TagStarters::size, TreeMap::new, Collectors.toList()));
          bySize.forEach(
              (size, all) -> {
                List<Candidate> some = all.subList(0, Math.min(MOST_CORRELATED, all.size()));
                if (some.size() >= FEWEST && !metrics.isEmpty()) {
                  correlated(kind, size, objects, some, metrics, from, found);
                }
              });
        });
    return found;
  }

  private void correlated(
      ObjectKind kind,
      String size,
      List<Candidate> all,
      List<Candidate> some,
      List<String> metrics,
      Instant from,
      List<Suggestion> found) {
    int[] ids = some.stream().mapToInt(Candidate::id).toArray();
    double[][][] values =
        means
            .read(List.of(new Means.Wanted(kind, metrics, ids)), from, HOURS, Duration.ofHours(1))
            .getFirst();
    for (Correlation.Cluster cluster : Correlation.clusters(values)) {
      List<Candidate> members = Arrays.stream(cluster.members()).mapToObj(some::get).toList();
      double r = Math.rint(cluster.correlation() * 100) / 100;
      int[] sorted = Suggestion.sorted(members.stream().map(Candidate::id).toList());
      ScopeProposal proposal = ScopeProposal.of(members, all);
      add(
          found,
          Suggestion.id("correlated " + kind + " " + Arrays.toString(sorted)),
          OutlierSuggestionKind.CORRELATED,
          "%d %s%s, %s move%s together (r %s)"
              .formatted(
                  members.size(),
                  plural(kind),
                  size.isEmpty() ? "" : ", same size",
                  metrics.stream().map(SuggestionFinder::word).collect(Collectors.joining(" and ")),
                  metrics.size() == 1 ? "s" : "",
                  String.format(Locale.ROOT, "%.2f", r)),
          members,
          r,
          edit(proposal.name(), kind, proposal.scope(), metrics));
    }
  }

  // Groups --------------------------------------------------------------------------------------

  private static String word(String key) {
    return key.startsWith("cpu") ? "CPU" : key.startsWith("net") ? "network" : "memory";
  }

  private static String plural(ObjectKind kind) {
    return switch (kind.objectKind()) {
      case "VirtualMachine" -> "VMs";
      case "HostSystem", "Host" -> "hosts";
      default -> "objects of the kind " + kind.objectKind();
    };
  }

  /** The keys that most objects of a kind have. */
  private static List<String> keys(
      ObjectKind kind,
      int members,
      Map<ObjectKind, List<Candidate>> candidates,
      Map<ObjectKind, Map<String, Integer>> keys) {
    Map<String, Integer> known = keys.getOrDefault(kind, Map.of());
    int objects = Math.max(members, candidates.getOrDefault(kind, List.of()).size());
    List<String> chosen = new ArrayList<>();
    for (Pattern pattern : METRICS) {
      known.entrySet().stream()
          .filter(
              entry ->
                  pattern.matcher(entry.getKey()).matches() && entry.getValue() >= HAVE * objects)
          .map(Map.Entry::getKey)
          .findFirst()
          .ifPresent(chosen::add);
    }
    return chosen;
  }

  private static OutlierGroupEdit edit(
      String name, ObjectKind kind, Scope scope, Collection<String> metrics) {
    return new OutlierGroupEdit(
            name.length() <= 200 ? name : name.substring(0, 200),
            new ObjectKindRef(kind.adapterKind(), kind.objectKind()),
            metrics.stream().map(key -> new OutlierMetricEdit().key(key)).toList())
        .scope(scope)
        .alert(new OutlierAlert(Severity.WARNING, Impact.HEALTH));
  }
}
