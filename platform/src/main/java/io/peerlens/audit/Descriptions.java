package io.peerlens.audit;

import io.peerlens.api.model.AlertActionOutcome;
import io.peerlens.api.model.AlertActionRequest;
import io.peerlens.api.model.AlertActionResult;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.CreatedDashboardLink;
import io.peerlens.api.model.CreatedToken;
import io.peerlens.api.model.DeliveryReplayResult;
import io.peerlens.api.model.ImportResult;
import io.peerlens.api.model.Job;
import io.peerlens.api.model.NotificationExchange;
import io.peerlens.api.model.OutlierEventActionRequest;
import io.peerlens.api.model.OutlierException;
import io.peerlens.api.model.PairingApproval;
import io.peerlens.api.model.PairingResult;
import io.peerlens.api.model.ReplayResult;
import io.peerlens.api.model.RulesImport;
import io.peerlens.api.model.SecretRotation;
import io.peerlens.api.model.SessionInfo;
import io.peerlens.api.model.SourceProbe;
import io.peerlens.api.model.SourceProbeRequest;
import io.peerlens.api.model.VropsTemplateImport;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.core.io.ByteArrayResource;

/**
 * Descriptions of operations, from their arguments and answers: ids, names, counts and digests. It
 * takes only what is named here, so bodies and secrets stay where they are.
 */
final class Descriptions {

  private static final int MOST_RELATED = 2000;
  private static final int LONGEST = 200;

  private Descriptions() {}

  /**
   * Description of an operation.
   *
   * @param changed whether it did anything; what only tried or waited is not recorded
   * @param id null = the answer has none
   * @param name null = the answer has none
   * @param related ids, bounded
   * @param actor who signed in; null = the caller stays who it was
   */
  record Description(
      boolean changed,
      @Nullable String id,
      @Nullable String name,
      Set<String> related,
      Map<String, Object> details,
      @Nullable SessionInfo actor) {}

  static Description of(@Nullable Object[] arguments, @Nullable Object answer) {
    Set<String> related = new LinkedHashSet<>();
    Map<String, Object> details = new LinkedHashMap<>();
    boolean changed = true;
    String id = property(answer, "id");
    String name = property(answer, "name", "title", "comment");
    SessionInfo actor = null;
    switch (answer) {
      case CreatedToken created -> {
        id = created.getToken().getId().toString();
        name = created.getToken().getName();
        details.put("role", created.getToken().getRole().getValue());
        details.put(
            "expiresAt",
            created.getToken().getExpiresAt() == null
                ? "never"
                : created.getToken().getExpiresAt().toString());
      }
      case CreatedDashboardLink created -> {
        name = null; // the dashboard's is known
        add(related, created.getLink().getId().toString());
        details.put("link", clip(created.getLink().getName()));
        details.put("expiresAt", created.getLink().getExpiresAt().toString());
      }
      case SessionInfo session -> {
        actor = session;
        name = null;
      }
      case PairingResult pairing -> {
        changed = pairing.getPaired();
        actor = pairing.getSession();
      }
      case RulesImport result -> {
        changed = !result.getDryRun();
        counts(
            details,
            result.getCreated(),
            result.getOverwritten(),
            result.getSkipped(),
            result.getInvalid());
        result
            .getItems()
            .forEach(item -> add(related, item.getId() == null ? null : item.getId().toString()));
      }
      case ImportResult result -> {
        changed = !result.getDryRun();
        counts(
            details,
            result.getCounts().getCreated(),
            result.getCounts().getOverwritten(),
            result.getCounts().getSkipped(),
            result.getCounts().getInvalid());
        details.put("file", clip(Objects.toString(result.getFile(), "")));
        result.getItems().forEach(item -> add(related, Objects.toString(item.getId(), null)));
      }
      case VropsTemplateImport result -> {
        changed = !result.getDryRun();
        counts(details, result.getCreated(), result.getOverwritten(), result.getSkipped(), 0);
        result.getItems().forEach(item -> add(related, item.getId()));
      }
      case AlertActionResult result -> {
        List<AlertActionOutcome> done =
            result.getItems().stream().filter(AlertActionOutcome::getDone).toList();
        details.put("done", done.size());
        details.put("notDone", result.getItems().size() - done.size());
        done.forEach(item -> add(related, item.getId().toString()));
      }
      case OutlierException exception -> {
        add(related, exception.getObject().getId().toString());
        details.put("objectName", clip(exception.getObject().getName()));
      }
      case Change change -> {
        add(related, change.getObject().getId().toString());
        name = change.getObject().getName();
      }
      case ReplayResult result -> {
        changed = !result.getDryRun();
        details.put("matched", result.getMatched());
        details.put("replayed", result.getReplayed());
        details.put("failed", result.getFailed().size());
      }
      case DeliveryReplayResult result -> {
        details.put("matched", result.getMatched());
        details.put("replayed", result.getReplayed());
      }
      case SecretRotation rotation -> {
        details.put("rotated", rotation.getRotated());
        details.put("keyId", rotation.getKeyId());
      }
      case NotificationExchange exchange -> {
        id = null;
        details.put("verdict", exchange.getVerdict().getValue());
      }
      case SourceProbe probe -> {
        details.put("signedIn", probe.getSignedIn());
        if (probe.getProblem() != null) {
          details.put("problem", probe.getProblem().getCode());
        }
      }
      case Job job -> {
        add(related, job.getId().toString());
        details.put("job", clip(job.getTitle()));
      }
      case null, default -> {}
    }
    for (Object argument : arguments) {
      switch (argument) {
        case ByteArrayResource file -> file(details, file);
        case AlertActionRequest request -> details.put("action", request.getAction().getValue());
        case OutlierEventActionRequest request ->
            details.put("action", request.getAction().getValue());
        case io.peerlens.api.model.DeliveryReplay replay ->
            changed = changed && !Boolean.TRUE.equals(replay.getDryRun());
        case PairingApproval approval -> name = approval.getName();
        case SourceProbeRequest request -> {
          id = request.getId() == null ? null : request.getId().toString();
          name = request.getAddress();
        }
        case null, default -> {}
      }
    }
    return new Description(changed, id, name == null ? null : clip(name), related, details, actor);
  }

  /** The ids that are UUIDs. */
  static List<UUID> uuids(Collection<String> ids) {
    List<UUID> uuids = new ArrayList<>();
    for (String id : ids) {
      if (isUuid(id)) {
        uuids.add(UUID.fromString(id));
      }
    }
    return uuids;
  }

  static boolean isUuid(String text) {
    return text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  }

  /** A text of others, short and without control characters. */
  static String clip(String text) {
    String plain = text.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
    return plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST - 3) + "...";
  }

  private static void add(Set<String> related, @Nullable String id) {
    if (id != null && related.size() < MOST_RELATED) {
      related.add(clip(id));
    }
  }

  private static void counts(
      Map<String, Object> details, int created, int overwritten, int skipped, int invalid) {
    details.put("created", created);
    details.put("overwritten", overwritten);
    details.put("skipped", skipped);
    details.put("invalid", invalid);
  }

  private static void file(Map<String, Object> details, ByteArrayResource file) {
    try {
      byte[] bytes = file.getContentAsByteArray();
      details.put("bytes", bytes.length);
      details.put(
          "sha256", HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("It is in memory, and every JDK has SHA-256", e);
    }
  }

  /** The first of these properties that an answer has, as text. */
  private static @Nullable String property(@Nullable Object answer, String... names) {
    if (answer == null || !answer.getClass().getName().startsWith("io.peerlens.api.model.")) {
      return null;
    }
    for (String name : names) {
      PropertyDescriptor found = BeanUtils.getPropertyDescriptor(answer.getClass(), name);
      if (found != null && found.getReadMethod() != null) {
        try {
          Object value = found.getReadMethod().invoke(answer);
          if (value != null) {
            return clip(value.toString());
          }
        } catch (IllegalAccessException | InvocationTargetException e) {
          throw new IllegalStateException("Getters of the contract's types are public", e);
        }
      }
    }
    return null;
  }
}
