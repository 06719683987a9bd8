package io.peerlens.planning.sizing;

import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.Recommendation;
import io.peerlens.api.model.RecommendationDetail;
import io.peerlens.api.model.RecommendationTicket;
import io.peerlens.api.model.RecommendationTicketRequest;
import io.peerlens.database.Uuid7;
import io.peerlens.notify.channel.Answer;
import io.peerlens.notify.channel.Attempt;
import io.peerlens.notify.channel.Channels;
import io.peerlens.notify.channel.Exchange;
import io.peerlens.notify.channel.TargetType;
import io.peerlens.notify.definition.NotificationTarget;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.notify.render.PagesAddressQueries;
import io.peerlens.web.ApiException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tickets of recommendations: JSON to a webhook target, at once and once, with the target's own
 * address, authentication and guard. Thread-safe.
 */
final class Tickets {

  private final NotificationTargetStore targets;
  private final Channels channels;
  private final DecisionStore store;
  private final JsonMapper json;
  private final PagesAddressQueries pages;
  private final InstantSource clock;

  Tickets(
      NotificationTargetStore targets,
      Channels channels,
      DecisionStore store,
      JsonMapper json,
      PagesAddressQueries pages,
      InstantSource clock) {
    this.targets = targets;
    this.channels = channels;
    this.store = store;
    this.json = json;
    this.pages = pages;
    this.clock = clock;
  }

  /**
   * Sends a recommendation.
   *
   * @throws ApiException if there is no such target, or it takes no JSON
   */
  RecommendationTicket send(
      RecommendationDetail detail, RecommendationTicketRequest request, String by) {
    NotificationTarget target = targets.named("target", request.getTarget());
    if (target.active().type() != TargetType.WEBHOOK) {
      throw ApiException.invalidField(
              "target", "\"" + target.name() + "\" is no webhook, and takes no JSON")
          .hint("Choose a target of the type webhook.");
    }
    if (!target.enabled()) {
      throw ApiException.invalidField("target", "\"" + target.name() + "\" is disabled")
          .hint("Enable it, or choose another one.");
    }
    Recommendation it = detail.getRecommendation();
    Instant now = clock.instant();
    Message message =
        new Message.Http(
            "POST",
            "",
            List.of(),
            "application/json",
            json.writeValueAsString(body(detail, request.getNote(), by, now)));
    Exchange exchange =
        channels
            .of(TargetType.WEBHOOK)
            .send(message, target.active(), new Attempt(Uuid7.at(now), it.getId(), 1, 1, now));
    Answer answer = exchange.answer();
    boolean delivered = exchange.verdict().delivered();
    RecommendationTicket ticket =
        new RecommendationTicket(
            target.id(),
            target.name(),
            now,
            by,
            delivered,
            answer == null ? null : answer.status(),
            delivered ? null : exchange.verdict().reason());
    store.add(it.getId(), ticket);
    return ticket;
  }

  private ObjectNode body(
      RecommendationDetail detail, @Nullable String note, String by, Instant now) {
    ObjectNode body = json.createObjectNode();
    Recommendation it = detail.getRecommendation();
    body.put("source", "Peerlens");
    body.put("event", "right-sizing-ticket");
    body.put("time", now.toString());
    body.put("requestedBy", by);
    body.put("note", note);
    body.put("title", title(it));
    String address = pages.get();
    body.put("url", address.isEmpty() ? null : address + "/objects/" + it.getObject().getId());
    body.set("recommendation", json.valueToTree(it));
    body.set("sizing", json.valueToTree(detail.getSizing()));
    return body;
  }

  /** Such as "report-05: 16 to 8 vCPU". */
  private static String title(Recommendation it) {
    String name = it.getObject().getName();
    Double now = it.getNow();
    Double size = it.getSize();
    return switch (it.getKind()) {
      case TOO_SMALL, TOO_LARGE -> name + ": " + Sizes.change(now, size, it.getUnit());
      case IDLE -> name + ": idle, to be given back";
      case POWERED_OFF -> name + ": powered off, to be given back";
      case SNAPSHOT -> name + ": delete the snapshot " + it.getInstance();
      case ORPHANED_DISK -> name + ": nobody's disk " + it.getInstance();
      case NOT_KNOWN -> name + ": its need is not known";
    };
  }
}
