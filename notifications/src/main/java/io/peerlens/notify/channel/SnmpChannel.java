package io.peerlens.notify.channel;

import io.peerlens.alerttemplates.Message;
import io.peerlens.notify.channel.SnmpSettings.Credentials;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretValues;
import io.peerlens.notify.secret.UsedSecrets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.VariableBinding;

/** SNMP channel: traps and informs. */
public final class SnmpChannel implements Channel, AutoCloseable {

  private static final int MOST = 200;

  private final SecretValues secrets;
  private final AddressGuard guard;
  private final SnmpEngines engines;
  private final InstantSource clock;
  private final Map<UUID, Kept> sessions = new LinkedHashMap<>(16, 0.75f, true);

  /** Settings that a session is made of. Holds secrets, so it never says what it holds. */
  private record Recipe(
      SnmpSettings settings, InetAddress address, List<Byte> engine, Map<String, String> secrets) {
    @Override
    public String toString() {
      return "Recipe";
    }
  }

  private record Kept(Recipe recipe, SnmpSession session) {}

  /** A channel; close it to end its sessions. */
  public SnmpChannel(
      SecretValues secrets, AddressGuard guard, SnmpEngines engines, InstantSource clock) {
    this.secrets = secrets;
    this.guard = guard;
    this.engines = engines;
    this.clock = clock;
  }

  @Override
  public TargetType type() {
    return TargetType.SNMP;
  }

  @Override
  public Exchange send(Message message, ActiveTarget target, Attempt attempt) {
    long began = System.nanoTime();
    SnmpSettings settings = (SnmpSettings) target.settings();
    if (!(message instanceof Message.Trap trap)) {
      return new Exchange(
          new Sent(line(settings), List.of(), ""),
          null,
          since(began),
          new Verdict.Refused(
              "The template makes no SNMP notification, and the target \""
                  + target.name()
                  + "\" takes nothing else"));
    }
    UsedSecrets used = new UsedSecrets(secrets);
    List<HeaderLine> headers = new ArrayList<>();
    String body = trap.trapOid();
    PDU answer = null;
    Verdict verdict;
    try {
      InetAddress address = guard.resolve(settings.host(), settings.port()).addresses().getFirst();
      SnmpEngine engine = engines.current();
      headers(headers, settings, engine);
      SnmpSession session = session(target, settings, address, engine, used);
      PDU pdu = session.pdu(engine, settings.inform());
      Instant now = clock.instant();
      TrapPdu.fill(pdu, trap, engine.upTime(now), session.room());
      body = text(pdu);
      if (settings.inform()) {
        answer = session.inform(pdu);
        verdict = confirmed(answer, settings);
      } else {
        session.trap(pdu, engine, engine.time(now));
        verdict = new Verdict.DeliveredUnconfirmed();
      }
    } catch (EgressRefusedException | IllegalArgumentException e) {
      verdict = new Verdict.Refused(used.redact(e));
    } catch (SecretException e) {
      verdict = new Verdict.Unauthorized(used.redact(e));
    } catch (UnknownHostException e) {
      verdict = new Verdict.Retry(null, "The host is not known: " + settings.host(), false);
    } catch (MessageException e) {
      drop(target.id());
      verdict = new Verdict.Retry(null, "The notification could not be sent: " + used.redact(e));
    } catch (IOException e) {
      drop(target.id());
      verdict = new Verdict.Retry(null, "The notification could not be sent: " + used.redact(e));
    }
    return new Exchange(
        new Sent(line(settings), headers, body),
        answer == null ? null : answer(answer, used),
        since(began),
        verdict);
  }

  private static Verdict confirmed(@Nullable PDU answer, SnmpSettings settings) {
    if (answer == null) {
      return new Verdict.Retry(
          null,
          "The inform was not confirmed within "
              + settings.timeout().toSeconds()
              + " s: the receiver does not answer, or does not accept our credentials");
    }
    if (answer.getType() == PDU.REPORT) {
      // Whoever can send packets can send reports, so none of them pauses a target.
      OID about = answer.size() == 0 ? new OID() : answer.get(0).getOid();
      return new Verdict.Retry(
          null,
          about.equals(SnmpConstants.usmStatsUnknownUserNames)
              ? "The receiver does not accept our credentials: it does not know the user"
              : "The receiver answered with a report: " + text(answer).strip());
    }
    if (answer.getErrorStatus() != PDU.noError) {
      return new Verdict.Refused("The receiver answered " + answer.getErrorStatusText());
    }
    return new Verdict.Delivered();
  }

  private static void headers(List<HeaderLine> headers, SnmpSettings settings, SnmpEngine engine) {
    switch (settings.credentials()) {
      case Credentials.Community(var community) ->
          headers.add(new HeaderLine("community", "secret " + community.name()));
      case Credentials.User user -> {
        headers.add(new HeaderLine("user", user.name()));
        headers.add(
            new HeaderLine(
                "security", user.authProtocol().value() + ", " + user.privProtocol().value()));
        headers.add(new HeaderLine("engine id", engine.hex()));
        headers.add(new HeaderLine("engine boots", Integer.toString(engine.boots())));
        if (user.context() != null) {
          headers.add(new HeaderLine("context", user.context()));
        }
      }
    }
  }

  private static String line(SnmpSettings settings) {
    return "SNMP %s %s to %s:%d"
        .formatted(
            settings.credentials() instanceof Credentials.Community ? "v2c" : "v3",
            settings.inform() ? "inform" : "trap",
            settings.host(),
            settings.port());
  }

  /** One variable in a line, as {@code 1.3.6... = STRING: text}. */
  private static String text(PDU pdu) {
    StringBuilder text = new StringBuilder();
    for (VariableBinding bind : pdu.getVariableBindings()) {
      text.append(bind.getOid())
          .append(" = ")
          .append(bind.getVariable().getSyntaxString())
          .append(": ")
          .append(
              bind.getVariable() instanceof org.snmp4j.smi.OctetString octets
                  ? new String(octets.getValue(), java.nio.charset.StandardCharsets.UTF_8)
                  : bind.getVariable().toString())
          .append('\n');
    }
    return text.toString();
  }

  private static Answer answer(PDU pdu, UsedSecrets used) {
    return new Answer(
        pdu.getErrorStatus(),
        PDU.getTypeString(pdu.getType()) + ", " + pdu.getErrorStatusText(),
        List.of(),
        used.redact(text(pdu)),
        false);
  }

  private SnmpSession session(
      ActiveTarget target,
      SnmpSettings settings,
      InetAddress address,
      SnmpEngine engine,
      UsedSecrets used)
      throws IOException {
    Map<String, String> values = new TreeMap<>();
    settings.secrets().forEach(name -> values.put(name, used.value(name)));
    List<Byte> id = new ArrayList<>();
    for (byte b : engine.id()) {
      id.add(b);
    }
    Recipe recipe = new Recipe(settings, address, id, new HashMap<>(values));
    synchronized (sessions) {
      Kept known = sessions.get(target.id());
      if (known != null && known.recipe().equals(recipe)) {
        return known.session();
      }
      SnmpSession made = new SnmpSession(settings, address, engine, used);
      sessions.put(target.id(), new Kept(recipe, made));
      if (known != null) {
        known.session().close();
      }
      if (sessions.size() > MOST) {
        Map.Entry<UUID, Kept> eldest = sessions.entrySet().iterator().next();
        sessions.remove(eldest.getKey());
        eldest.getValue().session().close();
      }
      return made;
    }
  }

  /** A session that failed is made anew next time. */
  private void drop(UUID target) {
    synchronized (sessions) {
      Kept kept = sessions.remove(target);
      if (kept != null) {
        kept.session().close();
      }
    }
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Override
  public void close() {
    synchronized (sessions) {
      sessions.values().forEach(kept -> kept.session().close());
      sessions.clear();
    }
  }
}
