package io.peerlens.ingest.mapping;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.ingest.key.ObjectAttributes;
import io.peerlens.ingest.key.ObjectKey;
import io.peerlens.ingest.key.ObjectReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a mapping file says of OpenTelemetry's points, ready for use. */
final class CompiledOtlp {

  /** Attribute that is the name of the instrumentation scope. */
  private static final String SCOPE = "scope.name";

  private static final int MAX_UNIT = 40;

  private final String adapterKind;
  private final Set<String> aggregates;
  private final @Nullable Wildcard scope;
  private final Map<String, String> defaults;
  private final Map<String, String> aliases;
  private final List<Thing> things = new ArrayList<>();
  private final List<Meaning> meanings = new ArrayList<>();
  private final Map<MetricKey, List<OtlpPoint.Derived>> derived = new HashMap<>();

  final String source;
  final String shownScope;

  /** An object that points can be about. */
  final class Thing {
    final LongAdder matched = new LongAdder();
    final MappingFile.OtlpObject written;
    private final Template objectKind;
    private final Template id;
    private final @Nullable Template name;
    private final @Nullable Template locator;
    private final Map<Template, Template> properties = new LinkedHashMap<>();
    private final List<Parent> parents = new ArrayList<>();
    private final List<Place> instance;
    private final Set<String> used = new HashSet<>();

    private record Parent(String adapterKind, String objectKind, Template locator) {}

    private Thing(MappingFile.OtlpObject written) {
      this.written = written;
      objectKind = template(written.objectKind());
      id = template(written.id());
      name = written.name() == null ? null : template(written.name());
      locator = written.locator() == null ? null : template(written.locator());
      if (written.properties() != null) {
        written.properties().forEach((key, text) -> properties.put(template(key), template(text)));
      }
      if (written.parents() != null) {
        for (MappingFile.OtlpReference parent : written.parents()) {
          parents.add(
              new Parent(
                  parent.adapterKind() == null ? adapterKind() : parent.adapterKind(),
                  parent.objectKind(),
                  template(parent.locator())));
        }
      }
      instance = places(written.instance());
      instance.forEach(place -> used.addAll(place.names()));
      if (written.ignore() != null) {
        used.addAll(written.ignore());
      }
      used.add(SCOPE);
      used.add("entity.type");
      used.add("entity.id");
    }

    private String adapterKind() {
      return written.adapterKind() == null ? adapterKind : written.adapterKind();
    }

    private Template template(String text) {
      Template template = Template.parse(text);
      used.addAll(template.names());
      return template;
    }
  }

  /** An attribute, or a template over attributes. */
  private record Place(@Nullable String attribute, @Nullable Template template) {

    Set<String> names() {
      return attribute == null ? template == null ? Set.of() : template.names() : Set.of(attribute);
    }

    /** Null when it is not there. */
    @Nullable String of(Function<String, @Nullable String> values) {
      return attribute == null
          ? template == null ? null : template.fill(values)
          : values.apply(attribute);
    }
  }

  /** What becomes of points. */
  private static final class Meaning {
    final MappingFile.OtlpMetric written;
    final Wildcard name;
    final Map<String, Set<String>> where = new HashMap<>();
    final List<Place> instance;
    final @Nullable Template key;
    final Set<String> used = new HashSet<>();

    Meaning(MappingFile.OtlpMetric written) {
      this.written = written;
      name = new Wildcard(written.name());
      if (written.where() != null) {
        written
            .where()
            .forEach(
                (attribute, texts) ->
                    where.put(
                        attribute,
                        texts instanceof Collection<?> several
                            ? several.stream().map(String::valueOf).collect(Collectors.toSet())
                            : Set.of(String.valueOf(texts))));
      }
      used.addAll(where.keySet());
      instance = places(written.instance());
      instance.forEach(place -> used.addAll(place.names()));
      key = written.key() == null ? null : Template.parse(written.key());
      if (key != null) {
        used.addAll(key.names());
      }
      if (written.ignore() != null) {
        used.addAll(written.ignore());
      }
      if (key == null && written.addTo() == null && !Boolean.TRUE.equals(written.drop())) {
        throw new IllegalArgumentException(
            "metric '%s': key, addTo or drop is missing".formatted(written.name()));
      }
      if (written.key() != null && written.key().indexOf('|') < 0) {
        throw new IllegalArgumentException(
            "metric '%s': the key '%s' has no '|' between group and metric"
                .formatted(written.name(), written.key()));
      }
    }

    boolean fits(String metric, Map<String, String> attributes) {
      if (!name.fits(metric)) {
        return false;
      }
      for (Map.Entry<String, Set<String>> one : where.entrySet()) {
        if (!one.getValue().contains(attributes.getOrDefault(one.getKey(), ""))) {
          return false;
        }
      }
      return true;
    }
  }

  CompiledOtlp(String source, MappingFile file, MappingFile.Otlp otlp) {
    this.source = source;
    adapterKind = file.adapterKind();
    aggregates = Set.copyOf(file.aggregatesOrNone());
    scope = otlp.scope() == null ? null : new Wildcard(otlp.scope());
    shownScope = otlp.scope() == null ? "*" : otlp.scope();
    defaults = otlp.defaults() == null ? Map.of() : Map.copyOf(otlp.defaults());
    aliases = otlp.aliases() == null ? Map.of() : Map.copyOf(otlp.aliases());
    otlp.objects().forEach(object -> things.add(new Thing(object)));
    if (otlp.metrics() != null) {
      otlp.metrics().forEach(metric -> meanings.add(new Meaning(metric)));
    }
    if (otlp.derived() != null) {
      otlp.derived().forEach(this::derive);
    }
  }

  private void derive(MappingFile.Derived written) {
    MetricKey key = MetricKey.parse(written.key());
    String of = written.percentOf() == null ? written.complementOf() : written.percentOf();
    if (of == null || (written.percentOf() == null) != (written.total() == null)) {
      throw new IllegalArgumentException(
          "derived '%s': expected percentOf with total, or complementOf".formatted(written.key()));
    }
    List<String> total = new ArrayList<>();
    for (String part : written.total() == null ? List.<String>of() : written.total()) {
      total.add(inGroup(key, part));
    }
    String part = inGroup(key, of);
    derived
        .computeIfAbsent(MetricKey.parse(of), k -> new ArrayList<>())
        .add(new OtlpPoint.Derived(key.metric(), part, List.copyOf(total)));
  }

  private static String inGroup(MetricKey key, String other) {
    MetricKey parsed = MetricKey.parse(other);
    if (!parsed.group().equals(key.group())) {
      throw new IllegalArgumentException(
          "derived '%s': '%s' is of another group".formatted(key, other));
    }
    return parsed.metric();
  }

  private static List<Place> places(@Nullable List<String> written) {
    return written == null
        ? List.of()
        : written.stream()
            .map(
                text ->
                    text.indexOf('{') < 0
                        ? new Place(text, null)
                        : new Place(null, Template.parse(text)))
            .toList();
  }

  List<Thing> things() {
    return things;
  }

  /** Maps a point; null when this file does not know its object. */
  @Nullable OtlpPoint map(
      String scopeName,
      Map<String, String> resource,
      String metric,
      String unit,
      Map<String, String> attributes) {
    if (scope != null && !scope.fits(scopeName)) {
      return null;
    }
    Function<String, @Nullable String> ofResource =
        key -> {
          String value = key.equals(SCOPE) ? scopeName : resource.get(key);
          return value == null || value.isEmpty() ? defaults.get(key) : value;
        };
    for (Thing thing : things) {
      String id = thing.id.fill(ofResource);
      String kind = thing.objectKind.fill(ofResource);
      if (id != null && kind != null) {
        return new OtlpPoint(
            new ObjectKey(thing.adapterKind(), kind, id),
            attributes(thing, id, ofResource, resource),
            outputs(part(thing, ofResource, resource), metric, unit, attributes, ofResource),
            thing.matched);
      }
    }
    return null;
  }

  private static ObjectAttributes attributes(
      Thing thing,
      String id,
      Function<String, @Nullable String> ofResource,
      Map<String, String> resource) {
    String name = thing.name == null ? "" : thing.name.fill(ofResource);
    Map<String, String> properties = new HashMap<>();
    thing.properties.forEach(
        (key, template) -> {
          String filledKey = key.fill(ofResource);
          String value = template.fill(ofResource);
          if (filledKey != null && value != null) {
            properties.put(filledKey, value);
          }
        });
    Set<ObjectReference> references = new HashSet<>();
    for (Thing.Parent parent : thing.parents) {
      String target = parent.locator.fill(ofResource);
      if (target != null) {
        references.add(
            new ObjectReference(
                ObjectReference.Role.PARENT, parent.adapterKind, parent.objectKind, target));
      }
    }
    Map<String, String> tags = new HashMap<>();
    if (thing.written.otherAttributes() == MappingFile.OtherTags.TAG) {
      resource.forEach(
          (key, value) -> {
            if (!thing.used.contains(key) && !value.isEmpty()) {
              tags.put(key, value);
            }
          });
    }
    return new ObjectAttributes(
        name == null ? id : name,
        thing.locator == null ? null : thing.locator.fill(ofResource),
        properties,
        tags,
        references);
  }

  /** What the resource adds to every instance. */
  private static String part(
      Thing thing, Function<String, @Nullable String> ofResource, Map<String, String> resource) {
    return joined(
        first(thing.instance, ofResource),
        thing.written.otherAttributes() == MappingFile.OtherTags.INSTANCE
            ? rest(resource, thing.used)
            : "");
  }

  private List<OtlpPoint.Output> outputs(
      String part,
      String metric,
      String unit,
      Map<String, String> written,
      Function<String, @Nullable String> ofResource) {
    Map<String, String> attributes = written;
    if (!aliases.isEmpty()) {
      attributes = new LinkedHashMap<>();
      for (Map.Entry<String, String> one : written.entrySet()) {
        attributes.put(aliases.getOrDefault(one.getKey(), one.getKey()), one.getValue());
      }
    }
    Map<String, String> named = attributes;
    for (Meaning meaning : meanings) {
      if (meaning.fits(metric, named)) {
        return outputs(part, meaning, named, unit, ofResource);
      }
    }
    int dot = metric.lastIndexOf('.');
    return List.of(
        new OtlpPoint.Output(
            dot <= 0 ? "metrics" : metric.substring(0, dot),
            joined(part, rest(named, Set.of())),
            dot <= 0 ? metric : metric.substring(dot + 1),
            Ucum.unit(unit, MAX_UNIT),
            1,
            OtlpPoint.Role.VALUE,
            null,
            List.of()));
  }

  private List<OtlpPoint.Output> outputs(
      String part,
      Meaning meaning,
      Map<String, String> attributes,
      String unit,
      Function<String, @Nullable String> ofResource) {
    MappingFile.OtlpMetric rule = meaning.written;
    if (Boolean.TRUE.equals(rule.drop())) {
      return List.of();
    }
    Function<String, @Nullable String> values =
        key -> {
          String value = attributes.get(key);
          return value == null ? ofResource.apply(key) : value;
        };
    String instance = first(meaning.instance, values);
    if (aggregates.contains(instance)) {
      instance = "";
    }
    instance = joined(joined(part, instance), rest(attributes, meaning.used));
    double multiply = rule.multiply() == null ? 1 : rule.multiply();
    String shown = rule.unit() == null ? Ucum.unit(unit, MAX_UNIT) : rule.unit();
    List<OtlpPoint.Output> outputs = new ArrayList<>();
    String filled = meaning.key == null ? null : meaning.key.fill(values);
    if (filled != null) {
      add(outputs, MetricKey.parse(filled), instance, shown, multiply, rule, false);
    }
    if (rule.addTo() != null) {
      for (String total : rule.addTo()) {
        add(outputs, MetricKey.parse(total), instance, shown, multiply, rule, true);
      }
    }
    return outputs;
  }

  private void add(
      List<OtlpPoint.Output> outputs,
      MetricKey key,
      String instance,
      @Nullable String unit,
      double multiply,
      MappingFile.OtlpMetric rule,
      boolean total) {
    OtlpPoint.RateAs rateAs = null;
    List<OtlpPoint.Derived> computed = new ArrayList<>(derived.getOrDefault(key, List.of()));
    if (rule.rateAs() != null && !total) {
      MetricKey other = MetricKey.parse(rule.rateAs().key());
      rateAs =
          new OtlpPoint.RateAs(
              other.metric(),
              rule.rateAs().multiply() == null ? 1 : rule.rateAs().multiply(),
              rule.rateAs().unit());
      computed.addAll(derived.getOrDefault(other, List.of()));
    }
    outputs.add(
        new OtlpPoint.Output(
            key.group(),
            instance,
            key.metric(),
            unit,
            multiply,
            total ? OtlpPoint.Role.SUM : OtlpPoint.Role.VALUE,
            rateAs,
            List.copyOf(computed)));
    if (rule.overInstances() != null && !instance.isEmpty()) {
      outputs.add(
          new OtlpPoint.Output(
              key.group(),
              "",
              key.metric(),
              unit,
              multiply,
              rule.overInstances() == MappingFile.OverInstances.SUM
                  ? OtlpPoint.Role.SUM
                  : OtlpPoint.Role.MEAN,
              rateAs,
              List.copyOf(computed)));
    }
  }

  /** The first that is there; empty when none is. */
  private static String first(List<Place> places, Function<String, @Nullable String> values) {
    for (Place place : places) {
      String value = place.of(values);
      if (value != null) {
        return value;
      }
    }
    return "";
  }

  private static String rest(Map<String, String> attributes, Set<String> used) {
    Map<String, String> others = new TreeMap<>(attributes);
    others.keySet().removeAll(used);
    return others.entrySet().stream()
        .map(one -> one.getKey() + '=' + one.getValue())
        .collect(Collectors.joining(","));
  }

  private static String joined(String one, String other) {
    return one.isEmpty() || other.isEmpty() ? one + other : one + ',' + other;
  }
}
