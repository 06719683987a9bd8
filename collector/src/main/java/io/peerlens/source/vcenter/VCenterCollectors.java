package io.peerlens.source.vcenter;

import io.peerlens.source.ActiveSource;
import io.peerlens.source.Outlet;
import io.peerlens.source.ProbeRequest;
import io.peerlens.source.ProbeResult;
import io.peerlens.source.SourceCollector;
import io.peerlens.source.SourceCollectors;
import io.peerlens.source.SourceError;
import io.peerlens.source.SourceJournal;
import io.peerlens.source.definition.SourceGuard;
import io.peerlens.vcenter.vim.AutomationApi;
import io.peerlens.vcenter.vim.Certificates;
import io.peerlens.vcenter.vim.HostAddresses;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.PropertySpec;
import io.peerlens.vcenter.vim.Trust;
import io.peerlens.vcenter.vim.VimAddress;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.VimException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collectors of vCenters, and the look at one before it is read. */
public final class VCenterCollectors implements SourceCollectors {

  /** The kind of source. */
  public static final String KIND = "vcenter";

  private static final Duration LOOK = Duration.ofSeconds(10);

  private final HostAddresses addresses;
  private final KnownObjects known;
  private final InstantSource clock;

  public VCenterCollectors(SourceGuard guard, KnownObjects known, InstantSource clock) {
    this.addresses = (host, port) -> allowed(guard, host, port);
    this.known = known;
    this.clock = clock;
  }

  private static List<InetAddress> allowed(SourceGuard guard, String host, int port)
      throws UnknownHostException {
    try {
      return guard.of(host, port);
    } catch (UnknownHostException e) {
      throw e;
    } catch (IOException e) {
      throw new HostAddresses.NotAllowedException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public SourceCollector start(ActiveSource source, Outlet outlet, SourceJournal journal) {
    return new VCenterCollector(
        source, addresses, trust(source.trust()), outlet, journal, known, clock);
  }

  private static Trust trust(io.peerlens.source.Trust trust) {
    return switch (trust) {
      case io.peerlens.source.Trust.Pinned pinned ->
          new Trust.Pinned(HexFormat.of().formatHex(pinned.sha256()));
      case io.peerlens.source.Trust.Authorities(String pem) -> new Trust.Authorities(pem);
    };
  }

  @Override
  public ProbeResult probe(ProbeRequest request) {
    ProbeResult.Certificate certificate = null;
    try {
      VimAddress address = VimAddress.of(request.address());
      certificate = certificate(address);
      Trust trust = request.trust() == null ? new Trust.Authorities("") : trust(request.trust());
      if (request.trust() == null && !certificate.trustedByAuthorities()) {
        return ProbeResult.failed(
            certificate,
            new SourceError(
                "certificate-not-known",
                "No authority vouches for the certificate of this vCenter.",
                "The password was not sent.",
                "Compare the fingerprint with the one that vCenter shows under Certificates, and confirm it."));
      }
      try (VimClient client = VimClient.connect(address, addresses, trust)) {
        return signedIn(client, request, certificate);
      }
    } catch (IllegalArgumentException e) {
      return ProbeResult.failed(
          null,
          new SourceError(
              "address",
              String.valueOf(e.getMessage()),
              "Nothing was connected to.",
              "Correct the address."));
    } catch (HostAddresses.NotAllowedException e) {
      return ProbeResult.failed(
          certificate,
          new SourceError(
              "egress-refused",
              String.valueOf(e.getMessage()),
              "Nothing was connected to.",
              "Ask the administrator to allow the address: peerlens.collector.egress.allow."));
    } catch (IOException e) {
      return ProbeResult.failed(
          certificate,
          new SourceError(
              "unreachable",
              "There is no answer over TLS: "
                  + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()),
              "Nothing was sent.",
              "See whether name and port are right, and whether a firewall lets this node through."));
    } catch (VimException e) {
      return ProbeResult.failed(
          certificate, Errors.of(e, Objects.requireNonNullElse(request.username(), "")));
    }
  }

  private ProbeResult.Certificate certificate(VimAddress address) throws IOException {
    List<X509Certificate> chain =
        Certificates.shownBy(
            address.host(), address.port(), addresses.of(address.host(), address.port()), LOOK);
    X509Certificate own = chain.getFirst();
    return new ProbeResult.Certificate(
        Certificates.sha256(own).replaceAll("(..)(?!$)", "$1:"),
        own.getSubjectX500Principal().getName(),
        own.getIssuerX500Principal().getName(),
        own.getNotBefore().toInstant(),
        own.getNotAfter().toInstant(),
        own.getSubjectX500Principal().equals(own.getIssuerX500Principal()),
        Certificates.isTrusted(address.host(), chain));
  }

  private static ProbeResult signedIn(
      VimClient client, ProbeRequest request, ProbeResult.@Nullable Certificate certificate)
      throws VimException {
    String product = client.content().product();
    String version = client.content().version();
    if (!client.content().isVCenter()) {
      return new ProbeResult(
          certificate,
          false,
          product,
          version,
          Map.of(),
          List.of(),
          new SourceError(
              "no-vcenter",
              "This is a single host, not a vCenter.",
              "The password was not sent.",
              "Enter the address of the vCenter that manages the host."));
    }
    String username = request.username();
    String password = request.password();
    if (username == null || password == null) {
      return new ProbeResult(certificate, false, product, version, Map.of(), List.of(), null);
    }
    client.login(username, password);
    Map<String, Long> counts = new HashMap<>();
    Moref view =
        client.createContainerView(
            List.of("VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore"));
    client.retrieveView(
        view,
        List.of(
            new PropertySpec("VirtualMachine", List.of("name")),
            new PropertySpec("HostSystem", List.of("name")),
            new PropertySpec("ClusterComputeResource", List.of("name")),
            new PropertySpec("Datastore", List.of("name"))),
        update -> counts.merge(update.object().type(), 1L, Long::sum));
    return new ProbeResult(
        certificate, true, product, version, counts, rights(client, username, password), null);
  }

  private static List<ProbeResult.Right> rights(VimClient client, String username, String password)
      throws VimException {
    Map<String, Boolean> found =
        client.privileges(
            client.content().rootFolder(),
            List.of(
                "System.Read",
                "System.View",
                "Global.Settings",
                "StorageProfile.View",
                "Datastore.Browse"));
    List<ProbeResult.Right> rights = new ArrayList<>();
    rights.add(
        new ProbeResult.Right(
            "Read-only on the root folder",
            found.getOrDefault("System.Read", false) && found.getOrDefault("System.View", false),
            "Nothing can be read."));
    boolean counters = !client.counters().isEmpty();
    rights.add(
        new ProbeResult.Right(
            "Performance: read counters", counters, "There are no metrics from this vCenter."));
    boolean tags;
    try {
      AutomationApi automation = client.automation();
      automation.login(username, password);
      automation.tagIds();
      automation.logout();
      tags = true;
    } catch (VimException e) {
      tags = false;
    }
    rights.add(new ProbeResult.Right("Tags: read", tags, "Objects have no vSphere tags."));
    rights.add(
        new ProbeResult.Right(
            "Global: settings",
            found.getOrDefault("Global.Settings", false),
            "The limit of performance queries cannot be read; the usual one, 64, is kept to."));
    rights.add(
        new ProbeResult.Right(
            "Storage profiles: view",
            found.getOrDefault("StorageProfile.View", false),
            "Objects have no storage policies."));
    rights.add(
        new ProbeResult.Right(
            "Datastore: browse datastore",
            found.getOrDefault("Datastore.Browse", false),
            "Disks that no machine uses are not found."));
    return rights;
  }
}
