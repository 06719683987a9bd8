package io.peerlens.notify.pipeline;

import io.peerlens.notify.context.NotificationContext;
import io.peerlens.notify.context.Wanted;
import io.peerlens.notify.flow.MuteReason;
import io.peerlens.notify.match.InScope;
import io.peerlens.notify.match.Matcher;
import io.peerlens.notify.rule.NotificationRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The definitions that notifications are made by, as of one moment.
 *
 * @param rules those that are enabled, in their order
 * @param targets those that are enabled
 * @param wanted what templates and conditions look at beyond alerts and objects
 */
public record InForce(
    List<RuleInForce> rules,
    Map<UUID, Target> targets,
    Wanted wanted,
    Renderer renderer,
    Silences silences) {

  /** A rule, ready to judge. */
  public record RuleInForce(NotificationRule rule, Matcher matcher) {}

  /**
   * A target, as far as it matters before anything is sent.
   *
   * @param maxAge what is older is given up
   * @param digestAfter so many new alerts in a minute are told one by one; null = all
   */
  public record Target(UUID id, String name, Duration maxAge, @Nullable Integer digestAfter) {}

  /** The silences. */
  public interface Silences {
    /** No silence. */
    Silences NONE = (context, scopes, now) -> null;

    /** What silences an alert; null = nothing. */
    @Nullable MuteReason holding(NotificationContext context, InScope scopes, Instant now);
  }

  /** Where definitions come from. */
  public interface Source {
    /** What is in force now. Cheap while nothing changes. */
    InForce now();
  }
}
