package io.peerlens.source.state;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.SourceProbesApi;
import io.peerlens.api.model.SourceCertificate;
import io.peerlens.api.model.SourceProbe;
import io.peerlens.api.model.SourceProbeRequest;
import io.peerlens.api.model.SourceProblem;
import io.peerlens.api.model.SourceRight;
import io.peerlens.api.model.SourceTrust;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.Secrets;
import io.peerlens.source.ProbeRequest;
import io.peerlens.source.ProbeResult;
import io.peerlens.source.ProbeResult.Certificate;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.SourceError;
import io.peerlens.source.Trust;
import io.peerlens.source.definition.Source;
import io.peerlens.source.definition.SourceGuard;
import io.peerlens.source.definition.SourceReader;
import io.peerlens.source.definition.SourceService;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class SourceProbesController implements SourceProbesApi {

  private final SourceService sources;
  private final ObjectProvider<SourceCollectors> collectors;
  private final SourceGuard guard;
  private final Secrets secrets;
  private final TimedProbes probes;

  SourceProbesController(
      SourceService sources,
      ObjectProvider<SourceCollectors> collectors,
      SourceGuard guard,
      Secrets secrets,
      TimedProbes probes) {
    this.sources = sources;
    this.collectors = collectors;
    this.guard = guard;
    this.secrets = secrets;
    this.probes = probes;
  }

  @Override
  @Heavy(HeavyWork.PROBE)
  public ResponseEntity<SourceProbe> probeSource(SourceProbeRequest wanted) {
    long begun = System.nanoTime();
    UUID id = wanted.getId();
    Source stored = id == null ? null : sources.get(id).rule();
    URI address = SourceReader.address("address", wanted.getAddress());
    SourceCollectors of =
        collectors.stream()
            .filter(one -> one.kind().equals(wanted.getKind().getValue()))
            .findFirst()
            .orElseThrow(
                () -> ApiException.invalidField("kind", "cannot be looked at by this node"));
    ProbeRequest request =
        new ProbeRequest(
            address,
            stored == null
                ? wanted.getUsername()
                : requireNonNullElse(wanted.getUsername(), stored.username()),
            password(wanted, stored, address),
            trust(wanted.getTrust(), stored, address));
    String refusal = guard.refusal(address);
    ProbeResult found =
        refusal == null ? probes.run(of, request) : ProbeResult.failed(null, refused(refusal));
    return ResponseEntity.ok(answer(found, request.password(), begun));
  }

  private static SourceError refused(String refusal) {
    return new SourceError(
        "egress-refused",
        "Peerlens must not connect there: " + refusal,
        "Nothing was connected to.",
        "Ask the administrator to allow the address: peerlens.collector.egress.allow.");
  }

  /** The password that is sent, or else the stored one, for the place that it was stored for. */
  private @Nullable String password(
      SourceProbeRequest wanted, @Nullable Source stored, URI address) {
    if (wanted.getPassword() != null || stored == null) {
      return wanted.getPassword();
    }
    if (!SourceService.isSamePlace(stored.address(), address)) {
      return null; // the certificate can be looked at
    }
    try {
      return secrets.value(stored.password());
    } catch (SecretException e) {
      throw ApiException.of(
              ErrorCode.CONFLICT, "The stored password cannot be read: " + e.getMessage() + ".")
          .hint("Send the password.");
    }
  }

  /** Whose certificate is accepted; null = nobody has said so yet. */
  private static @Nullable Trust trust(
      @Nullable SourceTrust wanted, @Nullable Source stored, URI address) {
    boolean says =
        wanted != null && (wanted.getSha256() != null || wanted.getAuthorities() != null);
    if (says) {
      return SourceReader.trust("trust", wanted);
    }
    return wanted == null
            && stored != null
            && SourceService.isSamePlace(stored.address(), address)
            && !stored.trust().equals(Trust.Authorities.OF_THE_SYSTEM)
        ? stored.trust()
        : null;
  }

  private static SourceProbe answer(ProbeResult found, @Nullable String password, long begun) {
    Certificate certificate = found.certificate();
    return new SourceProbe(
        certificate == null
            ? null
            : new SourceCertificate(
                certificate.sha256(),
                certificate.subject(),
                certificate.issuer(),
                certificate.notBefore(),
                certificate.notAfter(),
                certificate.selfSigned(),
                certificate.trustedByAuthorities()),
        found.signedIn(),
        found.product(),
        found.version(),
        found.counts(),
        rights(found.rights()),
        problem(found.error(), password),
        Duration.ofNanos(System.nanoTime() - begun).toMillis());
  }

  private static List<SourceRight> rights(List<ProbeResult.Right> rights) {
    return rights.stream()
        .map(right -> new SourceRight(right.name(), right.found(), right.missing()))
        .toList();
  }

  /** Without the password, should the server have repeated it. */
  private static @Nullable SourceProblem problem(
      @Nullable SourceError error, @Nullable String password) {
    SourceProblem problem = SourceOverview.problem(error);
    if (problem != null && password != null && !password.isEmpty()) {
      problem.setWhat(problem.getWhat().replace(password, "***"));
    }
    return problem;
  }
}
