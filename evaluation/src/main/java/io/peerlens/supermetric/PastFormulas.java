package io.peerlens.supermetric;

import io.peerlens.frame.FrameProperties;
import io.peerlens.frame.Frames;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Program;
import io.peerlens.supermetrics.program.Results;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Formulas computed over the past, as the evaluation loop would have done. Thread-safe. */
final class PastFormulas {

  private final Frames frames;
  private final Duration metricAge;
  private final Program.Options options;

  PastFormulas(
      Frames frames,
      FrameProperties frameProperties,
      FormulaProperties formulas,
      SuperMetricProperties properties) {
    this.frames = frames;
    this.metricAge = frameProperties.metricAge();
    Program.Options usual = Program.Options.DEFAULT;
    // As ticks compute, whose settings these are; only the budget is a preview's.
    this.options =
        new Program.Options(
            formulas.emptyIsZero(), properties.previewTime(), usual.mostMembers(), usual.ticker());
  }

  Frames frames() {
    return frames;
  }

  Program.Options options() {
    return options;
  }

  /**
   * A replay of some formulas.
   *
   * @param from its first moment
   */
  Replay replay(Collection<Definition> definitions, Instant from) {
    return new Replay(definitions, from);
  }

  /**
   * Moments one after the other, at which a formula that reads its own last value sees what it
   * yielded at the moment before. For one thread.
   */
  final class Replay {

    private final Program program;
    private final Program.Workspace workspace = new Program.Workspace();
    private final List<SelfMemory> memories = new ArrayList<>();

    private Replay(Collection<Definition> definitions, Instant from) {
      program = Program.of(definitions, options);
      for (Definition definition : definitions) {
        SelfMemory memory = SelfMemory.of(definition, frames, from, metricAge);
        if (memory != null) {
          memories.add(memory);
        }
      }
    }

    /** Columns that frames must hold. */
    Set<Input> inputs() {
      return program.inputs();
    }

    /** A stored frame with what the formulas yielded last in place of what is stored of them. */
    Frame over(Frame stored) {
      Frame read = stored;
      for (SelfMemory memory : memories) {
        read = memory.over(read);
      }
      return read;
    }

    /** Computes a moment. */
    Results compute(Frame stored, Program.Enabled enabled) {
      Results results = program.run(over(stored), enabled, workspace);
      memories.forEach(memory -> memory.remember(stored, results));
      return results;
    }
  }
}
