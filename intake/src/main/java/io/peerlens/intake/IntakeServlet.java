package io.peerlens.intake;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.peerlens.node.KafkaWriter;
import io.peerlens.security.Caller;
import io.peerlens.web.BodyTooLargeException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servlet of all paths of the intake. It stands beside Spring MVC, so that nothing reads a body
 * before its sender is known, and every answer has the form that its sender expects.
 */
final class IntakeServlet extends HttpServlet {

  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger(IntakeServlet.class);

  /** Header of a record: the name of the token that sent it, for who looks into the topic. */
  private static final String SENDER = "peerlens-intake";

  /** So many requests wait for Kafka at one time. */
  private static final int AT_ONCE = 64;

  private final transient Map<String, IntakeEndpoint> endpoints;
  private final transient Map<IntakeEndpoint.Target, String> topics;
  private final transient IntakeGate gate;
  private final transient KafkaWriter kafka;
  private final transient IntakeProperties properties;
  private final transient IntakeMemory memory;
  private final transient MeterRegistry meters;
  private final transient Semaphore places = new Semaphore(AT_ONCE);

  /**
   * @param endpoints by their path
   */
  IntakeServlet(
      Map<String, IntakeEndpoint> endpoints,
      Map<IntakeEndpoint.Target, String> topics,
      IntakeGate gate,
      KafkaWriter kafka,
      IntakeProperties properties,
      MeterRegistry meters) {
    this.endpoints = Map.copyOf(endpoints);
    this.topics = Map.copyOf(topics);
    this.gate = gate;
    this.kafka = kafka;
    this.properties = properties;
    this.memory = new IntakeMemory(properties.memory().toBytes());
    this.meters = meters;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    IntakeEndpoint endpoint = endpoints.get(request.getRequestURI());
    if (endpoint == null) { // another way to write a path
      response.setStatus(404);
      return;
    }
    try {
      if (!request.getMethod().equals("POST")) {
        response.setHeader("Allow", "POST");
        throw Refusal.of(405, "This path takes POST.");
      }
      int taken = take(endpoint, request, response);
      count(endpoint, "accepted").increment();
      meters.counter("peerlens.intake.bytes", "format", endpoint.name()).increment(taken);
    } catch (Refusal e) {
      refuse(endpoint, request, response, e);
    } catch (RuntimeException e) {
      LOG.error("A request to {} could not be taken", request.getRequestURI(), e);
      refuse(
          endpoint, request, response, Refusal.of(500, "The server failed to take this request."));
    }
  }

  private int take(
      IntakeEndpoint endpoint, HttpServletRequest request, HttpServletResponse response)
      throws Refusal, IOException {
    Caller caller = gate.admit(request, response);
    if (!places.tryAcquire()) {
      throw Refusal.busy("Too many requests are being taken at this moment. Send it again later.");
    }
    try (IntakeMemory.Share share = memory.share()) {
      int setting = Math.toIntExact(properties.maxBodySize().toBytes());
      byte[] body =
          Body.read(
              request.getInputStream(),
              endpoint.encoding(request),
              endpoint.most(request, setting),
              properties.maxReadTime(),
              share);
      byte[] key = Keys.of(caller.tokenId() + " " + request.getRemoteAddr());
      IntakeEndpoint.Cut cut = endpoint.cut(body, request, key, share);
      String topic = topics.get(cut.target());
      if (topic == null) {
        throw new IllegalStateException("No topic for " + cut.target());
      }
      deliver(topic, cut, caller);
      cut.accepted().forEach(response::setHeader);
      endpoint.accept(request, response);
      return body.length;
    } catch (BodyTooLargeException e) {
      throw Refusal.tooLarge(String.valueOf(e.getMessage()));
    } finally {
      places.release();
    }
  }

  private void deliver(String topic, IntakeEndpoint.Cut cut, Caller caller) throws Refusal {
    List<KafkaWriter.Message> messages = new ArrayList<>(cut.pieces().size());
    for (Piece piece : cut.pieces()) {
      Map<String, String> headers = new LinkedHashMap<>(cut.headers());
      headers.put(SENDER, caller.name());
      headers.putAll(piece.headers());
      messages.add(new KafkaWriter.Message(piece.key(), piece.value(), headers));
    }
    try {
      kafka.write(topic, messages);
    } catch (KafkaWriter.NotWritten e) {
      String message = String.valueOf(e.getMessage());
      throw switch (e.reason()) {
        case TOO_LARGE -> Refusal.tooLarge(message);
        case BUSY -> Refusal.busy(message);
        case UNAVAILABLE -> Refusal.unavailable(message);
      };
    }
  }

  private void refuse(
      IntakeEndpoint endpoint,
      HttpServletRequest request,
      HttpServletResponse response,
      Refusal refusal)
      throws IOException {
    count(endpoint, "refused-" + refusal.status()).increment();
    response.setStatus(refusal.status());
    if (refusal.retryAfter() != null) {
      response.setHeader("Retry-After", String.valueOf(refusal.retryAfter().toSeconds()));
    }
    if (refusal.status() == 408 || refusal.status() == 413) {
      response.setHeader("Connection", "close"); // rather than reading what nobody wants
    }
    endpoint.refuse(request, response, refusal);
  }

  private Counter count(IntakeEndpoint endpoint, String outcome) {
    return meters.counter(
        "peerlens.intake.requests", "format", endpoint.name(), "outcome", outcome);
  }
}
