package io.peerlens.alerttemplates;

import io.peerlens.alerttemplates.Step.Action;
import io.peerlens.alerttemplates.Step.Instead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Step as one of the kinds of steps reads it: checked whole, so that running it parses nothing.
 *
 * @param words the sentence for people
 * @param instead puts the default of the step; null = it has none
 * @param writes paths that it may add to the context
 */
record StepKind(String words, Action action, @Nullable Instead instead, List<Path> writes) {

  StepKind(String words, Action action, Path... writes) {
    this(words, action, null, List.of(writes));
  }
}
