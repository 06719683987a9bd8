package io.peerlens.notify.delivery;

import io.peerlens.alerttemplates.Message;
import io.peerlens.notify.channel.ActiveTarget;
import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Attempt;
import io.peerlens.notify.channel.Channel;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.Sent;
import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.channel.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps what is sent, and answers as each target is told to. */
public final class RecordingChannel implements Channel {

  /** What came. */
  public record Received(UUID target, Attempt attempt, String body, boolean delivered) {}

  /** What a target says to an attempt. */
  public record Reply(Verdict verdict, @Nullable String body) {

    /** It takes it. */
    public static Reply ok() {
      return new Reply(new Verdict.Delivered(), "");
    }

    /** It takes it, with an answer. */
    public static Reply ok(String body) {
      return new Reply(new Verdict.Delivered(), body);
    }

    /** It answers, but does not take it. */
    public static Reply later(@Nullable Duration after) {
      return new Reply(new Verdict.Retry(after, "503: not now"), "");
    }

    /** It does not know us. */
    public static Reply unauthorized() {
      return new Reply(new Verdict.Unauthorized("401: who are you"), "");
    }

    /** It is gone. */
    public static Reply gone() {
      return new Reply(new Verdict.Gone("410: gone"), "");
    }

    /** It cannot be reached. */
    public static Reply unreachable() {
      return new Reply(new Verdict.Retry(null, "The receiver cannot be reached", false), null);
    }
  }

  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final Map<UUID, Function<Attempt, Reply>> replies = new ConcurrentHashMap<>();

  @Override
  public TargetType type() {
    return TargetType.WEBHOOK;
  }

  /** From now on a target answers so. */
  public void answer(UUID target, Function<Attempt, Reply> reply) {
    replies.put(target, reply);
  }

  /** What a target got and took, in order. */
  public List<String> taken(UUID target) {
    return received.stream()
        .filter(one -> one.target().equals(target) && one.delivered())
        .map(Received::body)
        .toList();
  }

  /** Everything that was tried, in order. */
  public List<Received> all() {
    return new ArrayList<>(received);
  }

  @Override
  public Exchange send(Message message, ActiveTarget target, Attempt attempt) {
    Message.Http http = (Message.Http) message;
    Reply reply = replies.getOrDefault(target.id(), one -> Reply.ok()).apply(attempt);
    received.add(new Received(target.id(), attempt, http.body(), reply.verdict().delivered()));
    String body = reply.body();
    return new Exchange(
        new Sent("POST test", List.of(), http.body()),
        body == null ? null : new Answer(200, "200", List.of(), body, false),
        Duration.ofMillis(1),
        reply.verdict());
  }
}
