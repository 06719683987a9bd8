package io.peerlens.notify.delivery;

import io.peerlens.api.DeliveriesApi;
import io.peerlens.api.model.AlertNotifications;
import io.peerlens.api.model.Delivery;
import io.peerlens.api.model.DeliveryDetail;
import io.peerlens.api.model.DeliveryEvent;
import io.peerlens.api.model.DeliveryPage;
import io.peerlens.api.model.DeliveryReplay;
import io.peerlens.api.model.DeliveryReplayResult;
import io.peerlens.api.model.DeliveryStatus;
import io.peerlens.api.model.TargetStateList;
import io.peerlens.notify.definition.NotificationTargetStore;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import io.peerlens.web.Moments;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class DeliveriesController implements DeliveriesApi {

  private static final Set<DeliveryStatus> OVER =
      Set.of(
          DeliveryStatus.DELIVERED,
          DeliveryStatus.UNCONFIRMED,
          DeliveryStatus.DEAD,
          DeliveryStatus.DROPPED);

  private final DeliveryQueries queries;
  private final DeliveryActionStore actions;
  private final TargetHealthStore lines;
  private final NotificationTargetStore targets;
  private final InstantSource clock;

  DeliveriesController(
      DeliveryQueries queries,
      DeliveryActionStore actions,
      TargetHealthStore lines,
      NotificationTargetStore targets,
      InstantSource clock) {
    this.queries = queries;
    this.actions = actions;
    this.lines = lines;
    this.targets = targets;
    this.clock = clock;
  }

  @Override
  public ResponseEntity<DeliveryPage> listDeliveries(
      @Nullable UUID target,
      @Nullable UUID rule,
      @Nullable UUID alert,
      @Nullable List<DeliveryStatus> status,
      @Nullable List<DeliveryEvent> event,
      @Nullable String template,
      @Nullable UUID object,
      @Nullable String error,
      @Nullable String from,
      @Nullable String to,
      Integer limit,
      @Nullable String cursor) {
    Instant begin = from == null ? null : Moments.parameter("from", from);
    Instant end = to == null ? null : Moments.parameter("to", to);
    if (begin != null && end != null && !begin.isBefore(end)) {
      throw ApiException.invalidParameter("from", "must be before to");
    }
    return ResponseEntity.ok(
        queries.page(
            new DeliveryQueries.Filter(
                target,
                rule,
                template,
                alert,
                object,
                event == null ? List.of() : event,
                status == null ? List.of() : status,
                error,
                begin,
                end),
            limit,
            cursor));
  }

  @Override
  public ResponseEntity<DeliveryDetail> getDelivery(UUID id) {
    return ResponseEntity.ok(queries.detail(id).orElseThrow(() -> notFound(id)));
  }

  @Override
  public ResponseEntity<Delivery> replayDelivery(UUID id) {
    Delivery before = queries.one(id).orElseThrow(() -> notFound(id));
    if (!actions.replay(id, Caller.current().name(), clock.instant())) {
      throw before.getState() == DeliveryStatus.SENDING
          ? ApiException.of(ErrorCode.CONFLICT, "The delivery is on its way just now.")
              .hint("Look again in a moment.")
          : ApiException.of(
                  ErrorCode.CONFLICT, "The message was never made: " + before.getReason() + ".")
              .hint("Correct the template; the next event of the alert uses it.");
    }
    return ResponseEntity.ok(queries.one(id).orElseThrow(() -> notFound(id)));
  }

  @Override
  public ResponseEntity<Delivery> dropDelivery(UUID id) {
    Delivery before = queries.one(id).orElseThrow(() -> notFound(id));
    if (!actions.drop(id, Caller.current().name(), clock.instant())) {
      throw ApiException.of(
              ErrorCode.CONFLICT,
              "The delivery does not wait; it is " + before.getState().getValue() + ".")
          .hint("Only a delivery that waits, or will be retried, can be dropped.");
    }
    return ResponseEntity.ok(queries.one(id).orElseThrow(() -> notFound(id)));
  }

  @Override
  public ResponseEntity<DeliveryReplayResult> replayDeliveries(DeliveryReplay request) {
    Instant from = Moments.field("from", request.getFrom());
    Instant to = Moments.field("to", request.getTo());
    if (!from.isBefore(to)) {
      throw ApiException.invalidField("from", "must be before to");
    }
    if (Duration.between(from, to).compareTo(DeliveryActionStore.LONGEST_RANGE) > 0) {
      throw ApiException.invalidField("from", "is more than 31 days before to")
          .hint("Replay shorter stretches one after the other.");
    }
    List<DeliveryStatus> wanted = request.getState();
    List<DeliveryStatus> status =
        wanted == null || wanted.isEmpty() ? List.of(DeliveryStatus.DEAD) : wanted;
    for (DeliveryStatus one : status) {
      if (!OVER.contains(one)) {
        throw ApiException.invalidField("state", one.getValue() + " is not over yet")
            .hint("Give delivered, unconfirmed, dead or dropped.");
      }
    }
    DeliveryQueries.Filter filter =
        new DeliveryQueries.Filter(
            request.getTarget(),
            request.getRule(),
            request.getTemplate(),
            null,
            null,
            List.of(),
            status,
            null,
            from,
            to);
    long matched = actions.count(filter);
    long replayed =
        Boolean.TRUE.equals(request.getDryRun())
            ? 0
            : actions.replay(filter, Caller.current().name(), clock.instant());
    return ResponseEntity.ok(new DeliveryReplayResult(matched, replayed));
  }

  @Override
  public ResponseEntity<TargetStateList> listTargetStates() {
    return ResponseEntity.ok(queries.states(clock.instant()));
  }

  @Override
  public ResponseEntity<Void> resumeTarget(UUID id) {
    targets.existing(id);
    lines.resume(id);
    return ResponseEntity.noContent().build();
  }

  @Override
  public ResponseEntity<AlertNotifications> getAlertNotifications(UUID id) {
    if (!queries.isKnown(id)) {
      throw ApiException.notFound("alert", id).hint("GET /api/v1/alerts lists alerts.");
    }
    return ResponseEntity.ok(queries.of(id));
  }

  private static ApiException notFound(UUID id) {
    return ApiException.notFound("delivery", id)
        .hint("Deliveries that are over are forgotten after peerlens.notify.delivery.keep.");
  }
}
