package io.peerlens.event.mapping;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mapping file of events as it is written; docs/events.md explains each key with examples.
 *
 * @param about what sends these events, for people
 * @param rules tried in order; the first one that fits is used
 */
record EventMappingFile(
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) String about,
    @JsonProperty(required = true) @JsonSetter(nulls = Nulls.FAIL) List<Rule> rules) {

  /**
   * Meaning of some events, or of some tasks. What no rule fits is dropped.
   *
   * @param events classes of events; {@code *} stands for anything
   * @param tasks description ids of tasks, likewise
   * @param drop whether these are dropped, whatever later rules say
   * @param sort of the change; null only where it is dropped
   * @param title templates; the first one whose places all have a value is the title. None = the
   *     event's message
   * @param object members that may name the object, the first that does counts; null = the usual
   *     order, or a task's entity
   * @param tells templates of other changes that it tells as well; those without values are left
   *     out
   */
  record Rule(
      @Nullable List<String> events,
      @Nullable List<String> tasks,
      @Nullable Boolean drop,
      @Nullable String sort,
      @Nullable List<String> title,
      @Nullable List<String> object,
      @Nullable List<String> tells) {}
}
