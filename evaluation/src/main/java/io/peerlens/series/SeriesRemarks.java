package io.peerlens.series;

import io.peerlens.api.model.SeriesRemark;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.supermetrics.formula.Keys;
import io.peerlens.supermetrics.formula.Nearest;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.formula.Vocabulary;
import io.peerlens.vocabulary.Vocabularies;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Remarks on metrics that were asked for and that none of the objects has, so that a misspelt key
 * does not look like one without values. No error: a dashboard may ask for what comes tomorrow.
 */
final class SeriesRemarks {

  private static final int NAMED_KINDS = 3;

  private final SeriesStore store;
  private final Vocabularies vocabularies;

  SeriesRemarks(SeriesStore store, Vocabularies vocabularies) {
    this.store = store;
    this.vocabularies = vocabularies;
  }

  /**
   * A remark on each of some metrics.
   *
   * @param objects what was asked for
   * @param missing what none of the objects has
   */
  List<SeriesRemark> on(Collection<MetricKey> missing, Collection<UUID> objects) {
    List<ObjectKind> kinds = store.kinds(objects);
    Vocabulary vocabulary = vocabularies.known();
    Set<String> known = new TreeSet<>();
    kinds.forEach(kind -> known.addAll(vocabulary.keys(kind.adapterKind(), kind.objectKind())));
    return missing.stream().map(key -> remark(key, kinds, vocabulary, known)).toList();
  }

  private static SeriesRemark remark(
      MetricKey key, List<ObjectKind> kinds, Vocabulary vocabulary, Set<String> known) {
    if (kinds.isEmpty()) {
      return new SeriesRemark(key.toString(), "None of the requested objects exists.", null);
    }
    String plain = Keys.withoutInstances(key.toString());
    if (!known.contains(plain)) {
      String nearest = nearest(plain, known);
      return new SeriesRemark(
          key.toString(),
          "No object of the "
              + (kinds.size() == 1 ? "kind " : "kinds ")
              + kinds.stream()
                  .limit(NAMED_KINDS)
                  .map(ObjectKind::toString)
                  .collect(Collectors.joining(", "))
              + (kinds.size() > NAMED_KINDS ? ", ..." : "")
              + " has this metric here"
              + (plain.indexOf('|') < 0 ? ": a key is group|metric." : "."),
          nearest == null ? null : withInstance(nearest, key.instance()));
    }
    boolean instances =
        kinds.stream()
            .anyMatch(
                kind -> vocabulary.hasInstances(kind.adapterKind(), kind.objectKind(), plain));
    String message;
    if (!key.isAggregate()) {
      message = "None of the requested objects has this instance of " + plain + ".";
    } else if (instances) {
      message =
          "None of the requested objects has this metric without an instance; with one it is "
              + withInstance(plain, "INSTANCE")
              + ".";
    } else {
      message =
          "None of the requested objects has this metric; others of their kind have it, or it is a property.";
    }
    return new SeriesRemark(key.toString(), message, null);
  }

  /** The nearest key; of a group or a metric alone, the first key that has it. */
  private static @Nullable String nearest(String plain, Set<String> known) {
    String nearest = Nearest.of(plain, known);
    if (nearest != null || plain.indexOf('|') >= 0) {
      return nearest;
    }
    return known.stream()
        .filter(
            key ->
                key.regionMatches(true, 0, plain + '|', 0, plain.length() + 1)
                    || key.regionMatches(
                        true,
                        key.length() - plain.length() - 1,
                        '|' + plain,
                        0,
                        plain.length() + 1))
        .findFirst()
        .orElse(null);
  }

  private static String withInstance(String plain, String instance) {
    MetricKey key = MetricKey.parse(plain);
    return new MetricKey(key.group(), instance, key.metric()).toString();
  }
}
