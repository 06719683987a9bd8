package io.peerlens.outlier.judge;

import io.peerlens.frame.ObjectProperties;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outlier.group.PeerConfiguration;
import io.peerlens.outliers.Drift;
import io.peerlens.outliers.Majority;
import io.peerlens.supermetrics.program.Column;
import io.peerlens.supermetrics.program.ObjectGraph;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of members in the properties of their group, as they are now.
 *
 * @param members those that were compared; expected ones are among them, without values
 * @param compared by key
 * @param more how many keys fit too and are not compared, since there are too many
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ConfigurationComparison(int[] members, List<Drift.Compared> compared, int more) {

  /** So many properties are compared, as the contract says. */
  private static final int MOST_KEYS = 500;

  /**
   * Compares members.
   *
   * @param members their ids, ascending
   * @param expected those that are neither judged nor counted
   */
  public static ConfigurationComparison of(
      OutlierGroup group, int[] members, Set<Integer> expected, ObjectProperties properties) {
    PeerConfiguration configuration = group.configuration();
    ObjectGraph graph = properties.graph();
    int[] numbers = new int[members.length];
    for (int i = 0; i < members.length; i++) {
      numbers[i] = expected.contains(members[i]) ? -1 : graph.number(group.kind(), members[i]);
    }
    List<String> keys =
        properties.propertyKeys(group.kind()).stream()
            .filter(configuration::fits)
            .sorted()
            .toList();
    List<String> some = keys.subList(0, Math.min(MOST_KEYS, keys.size()));
    Map<String, Column> columns = properties.columns(group.kind(), some);
    List<Drift.Compared> compared = new ArrayList<>();
    for (String key : some) {
      List<@Nullable String> values = values(columns.get(key), numbers);
      compared.add(
          new Drift.Compared(
              key, Majority.of(values, configuration.accepted(key), configuration.rule()), values));
    }
    return new ConfigurationComparison(members, compared, Math.max(0, keys.size() - MOST_KEYS));
  }

  private static List<@Nullable String> values(@Nullable Column column, int[] numbers) {
    @Nullable String[] texts = column == null ? null : column.texts();
    List<@Nullable String> values = new ArrayList<>(numbers.length);
    for (int number : numbers) {
      values.add(texts == null || number < 0 ? null : texts[number]);
    }
    return Collections.unmodifiableList(values);
  }

  /** The value of a member in a property; null = it has none, or is not compared. */
  @Nullable String value(int member, String key) {
    int place = Arrays.binarySearch(members, member);
    if (place >= 0) {
      for (Drift.Compared one : compared) {
        if (one.key().equals(key)) {
          return one.values().get(place);
        }
      }
    }
    return null;
  }
}
