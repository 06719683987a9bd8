package io.peerlens.ingest.key;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Names of what records in our own form have said of an object, as opposed to the tags of lines.
 * For a day after such a record, lines of other collectors do not change what records said, so that
 * two feeders of one object that write a thing differently do not take turns.
 *
 * @param timeMicros of the newest record that changed anything, or was the first in a while; {@link
 *     Long#MIN_VALUE} = there was none
 * @param properties names of the properties that records told
 * @param tags names of the tags that records told
 * @param parents kinds of which records named the parents
 * @param children kinds of which records named the children
 */
public record Told(
    long timeMicros,
    boolean name,
    boolean locator,
    Set<String> properties,
    Set<String> tags,
    Set<String> parents,
    Set<String> children) {

  /** No record said anything. */
  public static final Told NOTHING =
      new Told(Long.MIN_VALUE, false, false, Set.of(), Set.of(), Set.of(), Set.of());

  private static final long HOLDS_MICROS = Duration.ofHours(24).toSeconds() * 1_000_000;

  /** A record that says nothing new is noted when the last one is so old. */
  private static final long RENEW_MICROS = Duration.ofHours(6).toSeconds() * 1_000_000;

  public Told {
    properties = Set.copyOf(properties);
    tags = Set.copyOf(tags);
    parents = Set.copyOf(parents);
    children = Set.copyOf(children);
  }

  /** Until when lines do not change what records said; {@link Long#MAX_VALUE} = they always do. */
  public long holdsUntilMicros() {
    return timeMicros == Long.MIN_VALUE ? Long.MAX_VALUE : timeMicros + HOLDS_MICROS;
  }

  /** Whether lines of that time do not change what records said. */
  public boolean holdsAt(long micros) {
    return timeMicros != Long.MIN_VALUE && micros <= timeMicros + HOLDS_MICROS;
  }

  boolean isToBeRenewedAt(long micros) {
    return timeMicros == Long.MIN_VALUE || micros >= timeMicros + RENEW_MICROS;
  }

  /** Whether all that a record says was said by records before. */
  boolean covers(ObjectReport report) {
    ObjectAttributes said = report.attributes();
    return (name || said.name().isEmpty())
        && (locator || said.locator() == null)
        && properties.containsAll(said.properties().keySet())
        && tags.containsAll(said.tags().keySet())
        && parents.containsAll(said.parentKinds())
        && parents.containsAll(report.withoutParents())
        && children.containsAll(said.childKinds())
        && children.containsAll(report.withoutChildren());
  }

  /** What records have said after one more. */
  Told after(ObjectReport report, long micros) {
    ObjectAttributes said = report.attributes();
    if (covers(report)
        && report.withoutProperties().stream().noneMatch(properties::contains)
        && report.withoutTags().stream().noneMatch(tags::contains)) {
      return new Told(micros, name, locator, properties, tags, parents, children);
    }
    Set<String> nowParents = with(parents, said.parentKinds(), Set.of());
    Set<String> nowChildren = with(children, said.childKinds(), Set.of());
    return new Told(
        micros,
        name || !said.name().isEmpty(),
        locator || said.locator() != null,
        with(properties, said.properties().keySet(), report.withoutProperties()),
        with(tags, said.tags().keySet(), report.withoutTags()),
        with(nowParents, report.withoutParents(), Set.of()),
        with(nowChildren, report.withoutChildren(), Set.of()));
  }

  private static Set<String> with(Set<String> names, Set<String> more, Set<String> less) {
    Set<String> all = new HashSet<>(names);
    all.removeAll(less);
    all.addAll(more);
    return all;
  }

  /** What a line says that no record said. */
  ObjectAttributes leavesOf(ObjectAttributes line) {
    Set<ObjectReference> references = new HashSet<>(line.references());
    references.removeIf(
        r ->
            switch (r.role()) {
              case PARENT -> parents.contains(r.objectKind());
              case CHILD -> children.contains(r.objectKind());
            });
    return new ObjectAttributes(
        name ? "" : line.name(),
        locator ? null : line.locator(),
        without(line.properties(), properties),
        without(line.tags(), tags),
        references);
  }

  private static Map<String, String> without(Map<String, String> texts, Set<String> names) {
    if (names.isEmpty() || texts.isEmpty()) {
      return texts;
    }
    Map<String, String> left = new HashMap<>(texts);
    left.keySet().removeAll(names);
    return left;
  }
}
