package io.peerlens.notify.dispatch;

import io.peerlens.notify.definition.InScope;
import io.peerlens.notify.definition.NotificationRule;
import io.peerlens.notify.render.NotificationContext;
import io.peerlens.notify.render.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Active definitions of notifications (rules, targets, templates, silences), as of one moment.
 *
 * @param rules those that are enabled, in their order
 * @param targets those that are enabled
 * @param wanted what templates and conditions look at beyond alerts and objects
 */
public record ActiveConfig(
    List<ActiveRule> rules,
    Map<UUID, Target> targets,
    Wanted wanted,
    Renderer renderer,
    Silences silences) {

  /** A rule, ready to judge. */
  public record ActiveRule(NotificationRule rule, Matcher matcher) {}

  /**
   * A target, as far as it matters before anything is sent.
   *
   * @param maxAge what is older is given up
   * @param digestAfter so many new alerts in a minute are sent one by one; null = all
   */
  public record Target(UUID id, String name, Duration maxAge, @Nullable Integer digestAfter) {}

  /** The silences. */
  public interface Silences {
    /** No silence. */
    Silences NONE = (context, scopes, now) -> null;

    /** What silences an alert; null = nothing. */
    @Nullable MuteReason holding(NotificationContext context, InScope scopes, Instant now);
  }

  /** Source of definitions. */
  public interface Source {
    /** What is in force now. Cheap while nothing changes. */
    ActiveConfig now();
  }
}
