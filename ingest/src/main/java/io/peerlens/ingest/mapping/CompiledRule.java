package io.peerlens.ingest.mapping;

import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import io.peerlens.ingest.key.SetKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A rule ready for use. */
final class CompiledRule {

  private record Ref(
      ObjectReference.Role role,
      String objectKind,
      Template locator,
      @Nullable Set<String> groups) {}

  final String source;
  final MappingFile.Rule rule;
  final LongAdder matched = new LongAdder();

  private final String adapterKind;
  private final Set<String> aggregates;
  private final Units units;
  private final String prefix;
  private final @Nullable String suffix; // null: the measurement has no {group}
  private final Template id;
  private final @Nullable Template name;
  private final @Nullable Template locator;
  private final Map<Template, Template> properties = new LinkedHashMap<>(); // by name
  private final Set<Ref> references = new LinkedHashSet<>();
  private final Map<String, String> instanceTags;
  private final Set<String> usedTags = new HashSet<>();
  private final MappingFile.OtherTags otherTags;
  private final Map<String, FieldUses> fieldUses = new ConcurrentHashMap<>();

  CompiledRule(String source, MappingFile file, MappingFile.Rule rule, Units units) {
    this.source = source;
    this.rule = rule;
    this.adapterKind = file.adapterKind();
    this.aggregates = Set.copyOf(file.aggregatesOrNone());
    this.units = units;
    int place = rule.measurement().indexOf("{group}");
    if (place >= 0) {
      prefix = rule.measurement().substring(0, place);
      suffix = rule.measurement().substring(place + "{group}".length());
    } else {
      prefix = rule.measurement();
      suffix = null;
    }
    if (prefix.indexOf('{') >= 0 || (suffix != null && suffix.indexOf('{') >= 0)) {
      throw new IllegalArgumentException(
          "measurement '%s': it can have only one {group}".formatted(rule.measurement()));
    }
    id = template("id", rule.id());
    name = rule.name() == null ? null : template("name", rule.name());
    locator = rule.locator() == null ? null : template("locator", rule.locator());
    if (rule.properties() != null) {
      rule.properties()
          .forEach(
              (key, text) ->
                  properties.put(template("properties", key), template("properties", text)));
    }
    references(ObjectReference.Role.PARENT, rule.parents());
    references(ObjectReference.Role.CHILD, rule.children());
    instanceTags = rule.instance() == null ? Map.of() : Map.copyOf(rule.instance());
    usedTags.addAll(instanceTags.values());
    if (rule.ignore() != null) {
      usedTags.addAll(rule.ignore());
    }
    otherTags = rule.otherTags() == null ? MappingFile.OtherTags.TAG : rule.otherTags();
  }

  private Template template(String key, String text) {
    try {
      Template template = Template.parse(text);
      usedTags.addAll(template.names());
      return template;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
  }

  private void references(
      ObjectReference.Role role, @Nullable List<MappingFile.Reference> written) {
    if (written == null) {
      return;
    }
    for (MappingFile.Reference reference : written) {
      references.add(
          new Ref(
              role,
              reference.objectKind(),
              template(
                  role == ObjectReference.Role.PARENT ? "parents" : "children",
                  reference.locator()),
              reference.groups() == null ? null : Set.copyOf(reference.groups())));
    }
  }

  /** Maps the series; null when the rule does not fit it. */
  @Nullable MappedSeries map(String measurement, Map<String, String> tags) {
    String group = group(measurement);
    if (group == null) {
      return null;
    }
    Function<String, @Nullable String> values =
        key ->
            switch (key) {
              case "measurement" -> measurement;
              case "group" -> group;
              default -> {
                String value = tags.get(key);
                yield value == null || aggregates.contains(value) ? null : value;
              }
            };
    String externalId = id.fill(values);
    if (externalId == null) {
      return null;
    }
    String filledName = name == null ? "" : name.fill(values);
    Map<String, String> filledProperties = new HashMap<>();
    properties.forEach(
        (key, template) -> {
          String filledKey = key.fill(values);
          String value = template.fill(values);
          if (filledKey != null && value != null) {
            filledProperties.put(filledKey, value);
          }
        });
    Set<ObjectReference> filledReferences = new HashSet<>();
    for (Ref ref : references) {
      String target =
          ref.groups == null || ref.groups.contains(group) ? ref.locator.fill(values) : null;
      if (target != null) {
        filledReferences.add(new ObjectReference(ref.role, adapterKind, ref.objectKind, target));
      }
    }
    @Nullable String instanceTag = instanceTags.getOrDefault(group, instanceTags.get("*"));
    String instance = instanceTag == null ? "" : tags.getOrDefault(instanceTag, "");
    if (aggregates.contains(instance)) {
      instance = "";
    }
    Map<String, String> others = new TreeMap<>(tags);
    others.keySet().removeAll(usedTags);
    if (otherTags == MappingFile.OtherTags.INSTANCE) {
      instance =
          others.entrySet().stream()
              .map(e -> e.getKey() + '=' + e.getValue())
              .collect(Collectors.joining(","));
    }
    matched.increment();
    return new MappedSeries(
        new SetKey(new ObjectKey(adapterKind, rule.objectKind(), externalId), group, instance),
        new ObjectAttributes(
            filledName == null ? externalId : filledName,
            locator == null ? null : locator.fill(values),
            filledProperties,
            otherTags == MappingFile.OtherTags.TAG ? others : Map.of(),
            filledReferences),
        fieldUses.computeIfAbsent(group, this::uses));
  }

  private @Nullable String group(String measurement) {
    if (suffix == null) {
      return measurement.equals(prefix)
          ? (rule.group() == null ? measurement : rule.group())
          : null;
    }
    return measurement.length() > prefix.length() + suffix.length()
            && measurement.startsWith(prefix)
            && measurement.endsWith(suffix)
        ? measurement.substring(prefix.length(), measurement.length() - suffix.length())
        : null;
  }

  private FieldUses uses(String group) {
    return new FieldUses(
        group,
        rule.fields() == null ? Map.of() : rule.fields(),
        rule.counters() == null
            ? Set.of()
            : Set.copyOf(rule.counters().getOrDefault(group, List.of())),
        units);
  }
}
