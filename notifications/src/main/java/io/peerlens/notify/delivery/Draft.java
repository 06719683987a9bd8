package io.peerlens.notify.delivery;

import io.peerlens.database.Uuid7;
import io.peerlens.notify.render.EventType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Notification that is to be queued.
 *
 * @param rule null = no rule asked for it
 * @param subject the alert, or the group, that it is about
 * @param members alerts of the group; empty = it is about one alert
 * @param sequence within target and subject, from 1
 * @param message as it will be sent; null = made from the context before it is sent first
 * @param context what it is made of; null = it is made already
 * @param failure why it cannot be made; null = it can
 * @param expiresAt given up then
 */
public record Draft(
    UUID id,
    UUID target,
    String targetName,
    @Nullable UUID rule,
    @Nullable String ruleName,
    UUID subject,
    @Nullable Long alertNumber,
    String alertName,
    @Nullable String objectName,
    @Nullable String criticality,
    EventType event,
    String change,
    int sequence,
    String template,
    String templateVersion,
    String templateHash,
    @Nullable JsonNode message,
    @Nullable JsonNode context,
    @Nullable String failure,
    Instant createdAt,
    Instant expiresAt,
    List<UUID> members) {

  /**
   * A draft whose message is yet to be made.
   *
   * @param context what it is about; name, number and so on are read from it
   * @param maxAge given up after this time
   */
  public static Draft of(
      UUID target,
      String targetName,
      @Nullable UUID rule,
      @Nullable String ruleName,
      UUID subject,
      JsonNode context,
      EventType event,
      String change,
      int sequence,
      String template,
      Instant now,
      Duration maxAge,
      List<UUID> members) {
    JsonNode alert = context.path("alert");
    JsonNode number = alert.path("number");
    return new Draft(
        Uuid7.at(now),
        target,
        targetName,
        rule,
        ruleName,
        subject,
        number.isIntegralNumber() ? number.asLong() : null,
        Objects.requireNonNullElse(alert.path("name").asString(null), ""),
        context.path("object").path("name").asString(null),
        alert.path("criticality").asString(null),
        event,
        change,
        sequence,
        template,
        "",
        "",
        null,
        null,
        null,
        now,
        now.plus(maxAge),
        members);
  }

  /** The same with its message. */
  public Draft ready(String version, String hash, JsonNode made) {
    return with(version, hash, made, null, null);
  }

  /** The same, to be made of a context just before it is sent first. */
  public Draft later(String version, String hash, JsonNode of) {
    return with(version, hash, null, of, null);
  }

  /** The same, given up at once. */
  public Draft failed(String version, String hash, String why) {
    return with(version, hash, null, null, why);
  }

  private Draft with(
      String version,
      String hash,
      @Nullable JsonNode made,
      @Nullable JsonNode of,
      @Nullable String why) {
    return new Draft(
        id,
        target,
        targetName,
        rule,
        ruleName,
        subject,
        alertNumber,
        alertName,
        objectName,
        criticality,
        event,
        change,
        sequence,
        template,
        version,
        hash,
        made,
        of,
        why,
        createdAt,
        expiresAt,
        members);
  }
}
