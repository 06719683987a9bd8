package io.peerlens.supermetric;

import io.peerlens.api.model.EffectEpisode;
import io.peerlens.api.model.EffectsRequest;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.RuleEffect;
import io.peerlens.api.model.SuperMetricEffects;
import io.peerlens.api.model.UseKind;
import io.peerlens.definition.PreviewLimits;
import io.peerlens.frame.Frames;
import io.peerlens.inventory.ObjectLookup;
import io.peerlens.supermetric.RuleTrial.Episode;
import io.peerlens.supermetric.RuleTrial.Outcome;
import io.peerlens.supermetrics.formula.Formula;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.supermetrics.program.Definition;
import io.peerlens.supermetrics.program.Frame;
import io.peerlens.supermetrics.program.Input;
import io.peerlens.supermetrics.program.Results;
import io.peerlens.web.ApiException;
import io.peerlens.web.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Impact preview of a changed formula on the rules that read its super metric: both formulas are
 * computed over the past, each with the super metrics that read them, and the rules are followed
 * through both. Nothing is stored. Few are computed at a time, each within limits. Thread-safe.
 */
final class Effects {

  private static final int LISTED = 20;

  private final SuperMetricStore store;
  private final List<SuperMetricUser> users;
  private final PastFormulas formulas;
  private final Policies policies;
  private final ObjectLookup objects;
  private final PreviewLimits limits;

  Effects(
      SuperMetricStore store,
      List<SuperMetricUser> users,
      PastFormulas formulas,
      Policies policies,
      ObjectLookup objects,
      SuperMetricProperties properties,
      InstantSource clock) {
    this.store = store;
    this.users = List.copyOf(users);
    this.formulas = formulas;
    this.policies = policies;
    this.objects = objects;
    this.limits = new PreviewLimits(clock, System::nanoTime, properties.previewTime());
  }

  SuperMetricEffects of(SuperMetricRule rule, EffectsRequest request) {
    Formula formula = Previews.valid(request.getFormula(), rule.id(), store.options());
    List<ObjectKind> kinds =
        request.getKinds() == null ? rule.kinds() : SuperMetricAnswers.kinds(request.getKinds());
    PreviewLimits.Range range = limits.range(request.getFrom(), request.getTo());
    return new Run(rule, formula, kinds, range).answer();
  }

  /** A rule on its way through the past. */
  private static final class Follower {
    final UseKind kind;
    final RuleTrial trial;
    @Nullable String problem;

    Follower(UseKind kind, RuleTrial trial) {
      this.kind = kind;
      this.trial = trial;
      this.problem = trial.problem();
    }
  }

  /** Rules that want to see the same moments. */
  private record Pass(Instant from, Duration step) {}

  private record Judged(
      Follower follower, Outcome outcome, List<Episode> added, List<Episode> dropped) {}

  private final class Run {
    private final PreviewLimits.Range range;
    private final UUID id;
    private final Set<ObjectKind> kinds = new LinkedHashSet<>();
    private final List<Definition> stored = new ArrayList<>();
    private final List<Definition> edited = new ArrayList<>();
    private final Map<UUID, Policy> policyOf = new HashMap<>();
    private final PreviewLimits.Deadline deadline = limits.deadline();
    private int moments;

    Run(
        SuperMetricRule rule,
        Formula formula,
        List<ObjectKind> editedKinds,
        PreviewLimits.Range range) {
      this.range = range;
      this.id = rule.id();
      kinds.addAll(rule.kinds());
      kinds.addAll(editedKinds);
      policyOf.put(id, new Policy(true, rule.policy().rules()));
      if (rule.formula().isValid()) {
        stored.add(rule.definition());
      }
      edited.add(new Definition(id, formula, editedKinds));
      for (SuperMetricRule reader : readers()) {
        stored.add(reader.definition());
        edited.add(reader.definition());
        policyOf.put(reader.id(), reader.policy());
      }
    }

    /** Those that are computed and read it, directly or through others. */
    private List<SuperMetricRule> readers() {
      Catalogue catalogue = store.catalogue();
      Set<UUID> known = new HashSet<>(Set.of(id));
      List<SuperMetricRule> readers = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = false;
        for (SuperMetricRule one : catalogue.byId().values()) {
          if (one.isComputed()
              && !known.contains(one.id())
              && catalogue.dependencies().reads(one.id()).stream().anyMatch(known::contains)) {
            known.add(one.id());
            readers.add(one);
            more = true;
          }
        }
      }
      return readers;
    }

    SuperMetricEffects answer() {
      List<Follower> followers = new ArrayList<>();
      for (SuperMetricUser user : users) {
        user.trials(policyOf.keySet(), range)
            .forEach(trial -> followers.add(new Follower(user.kind(), trial)));
      }
      Map<Pass, List<Follower>> passes = new LinkedHashMap<>();
      for (Follower one : followers) {
        if (one.problem != null) {
          continue;
        }
        passes
            .computeIfAbsent(
                new Pass(one.trial.from(), one.trial.step()), pass -> new ArrayList<>())
            .add(one);
      }
      passes.forEach(this::follow);
      List<Judged> judged = followers.stream().map(this::judged).toList();
      Map<Integer, ObjectRef> references = references(judged);
      return new SuperMetricEffects(
          range.from(),
          range.to(),
          judged.stream()
              .sorted(
                  Comparator.comparing((Judged one) -> one.follower().kind)
                      .thenComparing(one -> one.follower().trial.name())
                      .thenComparing(one -> one.follower().trial.id()))
              .map(one -> effect(one, references))
              .toList());
    }

    // ------------------------------------------------------------------------------ the past

    /** A pass that takes too long ends without a result for its rules; the others have theirs. */
    private void follow(Pass pass, List<Follower> followers) {
      try {
        deadline.check(() -> "other rules were judged", "Shorten the time range.");
        Variant before = new Variant(stored, pass.from());
        Variant after = new Variant(edited, pass.from());
        Set<Input> inputs = new HashSet<>(before.replay.inputs());
        inputs.addAll(after.replay.inputs());
        followers.forEach(one -> inputs.addAll(one.trial.inputs()));
        formulas
            .frames()
            .each(
                inputs,
                pass.from(),
                range.to(),
                pass.step(),
                frame -> {
                  deadline.check(
                      () -> "%,d moments were judged".formatted(moments),
                      "Shorten the time range.");
                  Frame saved = before.over(frame);
                  Frame other = after.over(frame);
                  followers.forEach(one -> one.trial.take(saved, other));
                  moments++;
                });
      } catch (ApiException e) {
        followers.forEach(one -> one.problem = e.detail());
      } catch (Frames.TooManyValuesException e) {
        followers.forEach(one -> one.problem = e.getMessage());
      }
    }

    private Judged judged(Follower one) {
      Outcome outcome =
          one.problem == null ? one.trial.outcome() : new Outcome(0, List.of(), List.of());
      return new Judged(
          one,
          outcome,
          without(outcome.edited(), outcome.stored()),
          without(outcome.stored(), outcome.edited()));
    }

    /** Those that overlap none of the others. */
    private static List<Episode> without(List<Episode> some, List<Episode> others) {
      Map<Place, List<Episode>> byPlace = new HashMap<>();
      others.forEach(
          one -> byPlace.computeIfAbsent(Place.of(one), place -> new ArrayList<>()).add(one));
      return some.stream()
          .filter(
              one ->
                  byPlace.getOrDefault(Place.of(one), List.of()).stream().noneMatch(one::overlaps))
          .sorted(Comparator.comparing(Episode::from))
          .toList();
    }

    /** One of the two formulas, with the super metrics that read it. */
    private final class Variant {
      private final PastFormulas.Replay replay;

      Variant(List<Definition> definitions, Instant from) {
        replay = formulas.replay(definitions, from);
      }

      /** A frame with its values in place of those that are stored. */
      Frame over(Frame frame) {
        Results results = replay.compute(frame, policies.enabled(policyOf, frame.objects()));
        List<Results.Result> all = new ArrayList<>(results.columns());
        for (ObjectKind kind : kinds) {
          if (results.of(id, kind) == null) {
            all.add(nothing(kind, frame.objects().count(kind)));
          }
        }
        return new Results(all).over(frame);
      }

      /** No values: those stored for a kind that it is not computed for do not count. */
      private Results.Result nothing(ObjectKind kind, int objects) {
        double[] values = new double[objects];
        Arrays.fill(values, Double.NaN);
        return new Results.Result(id, kind, values, 0, Map.of(), 0, null);
      }
    }

    // ---------------------------------------------------------------------------- the answer

    private Map<Integer, ObjectRef> references(Collection<Judged> judged) {
      Set<Integer> ids = new HashSet<>();
      for (Judged one : judged) {
        for (List<Episode> episodes : List.of(one.added(), one.dropped())) {
          episodes.stream()
              .limit(LISTED)
              .map(Episode::object)
              .filter(Objects::nonNull)
              .forEach(ids::add);
        }
      }
      return objects.references(ids);
    }

    private static RuleEffect effect(Judged one, Map<Integer, ObjectRef> references) {
      RuleTrial trial = one.follower().trial;
      Outcome outcome = one.outcome();
      return new RuleEffect(
          one.follower().kind,
          trial.id(),
          trial.name(),
          Durations.print(trial.step()),
          outcome.judged(),
          outcome.stored().size(),
          outcome.edited().size(),
          answers(one.added(), references),
          one.added().size(),
          answers(one.dropped(), references),
          one.dropped().size(),
          one.follower().problem);
    }

    private static List<EffectEpisode> answers(
        List<Episode> episodes, Map<Integer, ObjectRef> references) {
      return episodes.stream()
          .limit(LISTED)
          .filter(one -> one.object() == null || references.containsKey(one.object()))
          .map(
              one ->
                  new EffectEpisode(one.instance(), one.from(), one.to(), one.severity())
                      .object(one.object() == null ? null : references.get(one.object())))
          .toList();
    }
  }

  private record Place(@Nullable Integer object, String instance) {
    static Place of(Episode episode) {
      return new Place(episode.object(), episode.instance());
    }
  }
}
