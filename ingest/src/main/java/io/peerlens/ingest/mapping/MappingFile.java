package io.peerlens.ingest.mapping;

import com.fasterxml.jackson.annotation.JsonFormat;
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
 * @param otlp what points of OpenTelemetry mean
 */
record MappingFile(
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String collector,
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String adapterKind,
    @Nullable List<String> aggregates,
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) List<Rule> rules,
    @Nullable Map<String, String> units,
    @Nullable String unitsOf,
    @Nullable Otlp otlp) {

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

  /**
   * Meaning of OpenTelemetry's points. Texts with {@code {name}} are templates over the attributes
   * of the resource, with {@code {scope.name}}, and where it says so over those of the point.
   *
   * @param scope name of the instrumentation scope, {@code *} stands for anything; null = any
   * @param defaults values of resource attributes that are not there
   * @param aliases other names of point attributes, by that other name: {@code
   *     network.io.direction: direction}
   * @param objects the first one whose id can be filled is what the points are about
   * @param metrics the first one that fits a point says what becomes of it; points that none fits
   *     are named after the metric
   * @param derived metrics computed of others, once a resource was read
   */
  record Otlp(
      @Nullable String scope,
      @Nullable Map<String, String> defaults,
      @Nullable Map<String, String> aliases,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) List<OtlpObject> objects,
      @Nullable List<OtlpMetric> metrics,
      @Nullable List<Derived> derived) {}

  /**
   * @param adapterKind null = that of the file
   * @param objectKind a template
   * @param instance resource attributes or templates, the first of which that is there becomes part
   *     of every instance
   * @param otherAttributes what becomes of resource attributes that nothing here names
   * @param ignore resource attributes that say nothing of the object
   */
  record OtlpObject(
      @Nullable String adapterKind,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String objectKind,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String id,
      @Nullable String name,
      @Nullable String locator,
      @Nullable List<OtlpReference> parents,
      @Nullable Map<String, String> properties,
      @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          @Nullable List<String> instance,
      @Nullable OtherTags otherAttributes,
      @Nullable List<String> ignore) {}

  /**
   * @param adapterKind null = that of the object
   */
  record OtlpReference(
      @Nullable String adapterKind,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String objectKind,
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String locator) {}

  /**
   * @param name of the metric, {@code *} stands for anything
   * @param where text, or list of texts, that attributes of the point must have
   * @param instance attributes or templates; the first of which that is there is the instance
   * @param ignore attributes of the point that say nothing
   * @param key {@code group|metric}, a template over the attributes of the point; null = only
   *     {@code addTo}
   * @param multiply the number is multiplied by this
   * @param addTo metrics of which this is a part, within one resource of one record
   * @param overInstances what the value over all instances is made of
   * @param rateAs a second metric for the increase of a counter for each second
   * @param drop whether nothing is stored
   */
  record OtlpMetric(
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String name,
      @Nullable Map<String, Object> where,
      @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          @Nullable List<String> instance,
      @Nullable List<String> ignore,
      @Nullable String key,
      @Nullable Double multiply,
      @Nullable String unit,
      @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          @Nullable List<String> addTo,
      @Nullable OverInstances overInstances,
      @Nullable RateAs rateAs,
      @Nullable Boolean drop) {}

  /** How the value over all instances is made. */
  enum OverInstances {
    @JsonProperty("sum")
    SUM,
    @JsonProperty("mean")
    MEAN
  }

  /**
   * @param multiply the increase for each second is multiplied by this
   */
  record RateAs(
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String key,
      @Nullable Double multiply,
      @Nullable String unit) {}

  /**
   * A metric in percent, made of others of the same row.
   *
   * @param percentOf the part
   * @param total metrics that are the whole together
   * @param complementOf a metric in percent, of which this one is what is left of 100
   */
  record Derived(
      @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String key,
      @Nullable String percentOf,
      @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          @Nullable List<String> total,
      @Nullable String complementOf) {}

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
