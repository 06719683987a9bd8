package io.peerlens.ingest.mapping;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Uses of the fields of one rule and group. */
public final class FieldUses {

  /** Points of OpenTelemetry, which say themselves what they are; none is a counter. */
  public static final FieldUses POINTS = new FieldUses("", Map.of(), Set.of(), new Units(Map.of()));

  /** Points of OpenTelemetry of which some are counters. */
  public static final FieldUses COUNTING_POINTS =
      new FieldUses("", Map.of(), Set.of(""), new Units(Map.of()));

  private final String group;
  private final Map<String, MappingFile.FieldRule> rules;
  private final Set<String> counters;
  private final Units units;

  FieldUses(
      String group, Map<String, MappingFile.FieldRule> rules, Set<String> counters, Units units) {
    this.group = group;
    this.rules = rules;
    this.counters = counters;
    this.units = units;
  }

  /** Whether any field is a counter, whose last value must be known to go on. */
  public boolean hasCounters() {
    return !counters.isEmpty();
  }

  /** Finds the use of a field that holds a number or boolean. */
  public FieldUse number(String field) {
    MappingFile.FieldRule rule = rules.get(field);
    if (rule != null) {
      return use(rule);
    }
    @Nullable String unit = units.of(group, field);
    return counters.contains(field)
        ? new FieldUse.Counter(field, field + "_rate", unit)
        : new FieldUse.Value(field, unit);
  }

  /** Finds the use of a field that holds text: a property when a rule says so, else nothing. */
  public FieldUse text(String field) {
    MappingFile.FieldRule rule = rules.get(field);
    return rule == null ? new FieldUse.Drop() : use(rule);
  }

  private static FieldUse use(MappingFile.FieldRule rule) {
    return rule.property() == null
        ? new FieldUse.Drop()
        : new FieldUse.Property(rule.property(), rule.multiply() == null ? 1 : rule.multiply());
  }
}
