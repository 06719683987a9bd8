package io.peerlens.ingest.mapping;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping file as it is written; docs/mappings.md explains each key with examples.
 *
 * @param collector what writes these lines, for people
 * @param adapterKind of all objects that this file makes
 * @param aggregates instance values that stand for "all of them", {@code instance-total}
 * @param rules tried in order; the first one that fits a series is used
 * @param units unit by metric name, {@code usage_average} or {@code cpu|usage_average}; a {@code *}
 *     stands for anything; the longest pattern wins
 * @param unitsOf another mapping file, whose units hold for metrics that {@code units} does not
 *     know
 */
record MappingFile(
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String collector,
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String adapterKind,
    @Nullable List<String> aggregates,
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) List<Rule> rules,
    @Nullable Map<String, String> units,
    @Nullable String unitsOf) {

  List<String> aggregatesOrNone() {
    return aggregates == null ? List.of() : aggregates;
  }

  Map<String, String> unitsOrNone() {
    return units == null ? Map.of() : units;
  }

  /**
   * One kind of object. Texts with {@code {tag}} are templates over tags; {@code {measurement}} and
   * {@code {group}} stand for the measurement and the part of it that is the group.
   *
   * @param measurement which measurements: literal text with at most one {@code {group}}
   * @param objectKind kind of the object
   * @param id template of the external id; a series that lacks one of its tags does not fit
   * @param name template of the name; null = these lines do not tell it
   * @param locator template of what other objects' tags call this one
   * @param group metric group when the measurement pattern has no {@code {group}}
   * @param parents objects above, by their locator; one whose tags are missing is left out
   * @param children objects below, likewise
   * @param properties template by property name, which is a template itself
   * @param instance tag that holds the instance, by group; {@code "*"} for groups not named
   * @param ignore tags that say nothing of the object
   * @param otherTags what becomes of all tags not used above
   * @param fields what becomes of single fields; others are metrics when they are numbers
   * @param counters fields that only ever count up, by group; each gets a second metric {@code
   *     NAME_rate}, the increase for each second
   */
  record Rule(
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String measurement,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String objectKind,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String id,
      @Nullable String name,
      @Nullable String locator,
      @Nullable String group,
      @Nullable List<Reference> parents,
      @Nullable List<Reference> children,
      @Nullable Map<String, String> properties,
      @Nullable Map<String, String> instance,
      @Nullable List<String> ignore,
      @Nullable OtherTags otherTags,
      @Nullable Map<String, FieldRule> fields,
      @Nullable Map<String, List<String>> counters) {}

  /**
   * @param groups only in series of these groups; null = in all
   */
  record Reference(
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String objectKind,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String locator,
      @Nullable List<String> groups) {}

  /**
   * @param property name of the property that takes the field's value; null = drop the field
   * @param multiply the number is multiplied by this first, to get the property's usual unit
   */
  record FieldRule(@Nullable String property, @Nullable Double multiply) {}

  /** Use of tags that a rule does not name. */
  enum OtherTags {
    /** Labels of the object, the default. */
    @JsonProperty("tag")
    TAG,
    /** Together they are the instance, as {@code a=1,b=2}. */
    @JsonProperty("instance")
    INSTANCE,
    /** They say nothing. */
    @JsonProperty("ignore")
    IGNORE
  }
}
