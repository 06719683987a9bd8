package io.peerlens.source.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.model.SecretRef;
import io.peerlens.api.model.SourceEdit;
import io.peerlens.api.model.SourcePart;
import io.peerlens.api.model.SourceTrust;
import io.peerlens.scope.ScopeReader;
import io.peerlens.source.Part;
import io.peerlens.source.Trust;
import io.peerlens.web.ApiException;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sources of the API as records. */
public final class SourceReader {

  private static final String ADDRESS = "Write it as https://vcenter.example.com.";

  private SourceReader() {}

  /**
   * Reads a source whose password is a name.
   *
   * @throws ApiException if it does not fit
   */
  static Source read(UUID id, long version, SourceEdit edit) {
    if (edit.getName().isBlank()) {
      throw ApiException.invalidField("name", "is blank");
    }
    ScopeReader.storable("name", edit.getName());
    ScopeReader.storable("username", edit.getUsername());
    Map<String, String> options = requireNonNullElse(edit.getOptions(), Map.of());
    options.forEach(
        (name, value) -> {
          ScopeReader.storable("options", name);
          ScopeReader.storable("options." + name, value);
        });
    VCenterOptions.check(options);
    SecretRef password = edit.getPassword();
    if (password == null || password.getSecret() == null) {
      throw ApiException.invalidField("password", "is missing");
    }
    return new Source(
        id,
        edit.getName(),
        edit.getKind().getValue(),
        address("address", edit.getAddress()),
        edit.getUsername(),
        password.getSecret(),
        trust("trust", edit.getTrust()),
        reads(edit.getReads()),
        options,
        version);
  }

  /** The parts that are read; left out or empty = all. */
  private static Set<Part> reads(@Nullable List<SourcePart> wanted) {
    Set<Part> reads = EnumSet.noneOf(Part.class);
    requireNonNullElse(wanted, List.<SourcePart>of())
        .forEach(part -> reads.add(Part.of(part.getValue())));
    return reads.isEmpty() ? EnumSet.allOf(Part.class) : reads;
  }

  /**
   * Reads an address: {@code https://HOST[:PORT]}, behind which {@code /sdk} may stand.
   *
   * @param field in the body
   * @throws ApiException if it is none
   */
  public static URI address(String field, String text) {
    URI uri;
    try {
      uri = new URI(text.strip());
    } catch (URISyntaxException e) {
      throw ApiException.invalidField(field, "is no address: " + e.getReason()).hint(ADDRESS);
    }
    String scheme = requireNonNullElse(uri.getScheme(), "").toLowerCase(Locale.ROOT);
    if (uri.getHost() == null) {
      throw ApiException.invalidField(field, "names no host").hint(ADDRESS);
    }
    if (!scheme.equals("https")) {
      throw ApiException.invalidField(field, "does not begin with https://")
          .hint("Passwords are sent encrypted only. " + ADDRESS);
    }
    if (uri.getRawUserInfo() != null) {
      throw ApiException.invalidField(field, "holds a user")
          .hint("Give user and password as username and password.");
    }
    if (uri.getRawQuery() != null
        || uri.getRawFragment() != null
        || !Set.of("", "/", "/sdk", "/sdk/").contains(requireNonNullElse(uri.getRawPath(), ""))) {
      throw ApiException.invalidField(field, "has more behind the host than /sdk").hint(ADDRESS);
    }
    if (uri.getPort() > 65535 || uri.getPort() == 0) {
      throw ApiException.invalidField(field, "has no port between 1 and 65535").hint(ADDRESS);
    }
    return URI.create(
        "https://"
            + uri.getHost().toLowerCase(Locale.ROOT)
            + (uri.getPort() < 0 ? "" : ":" + uri.getPort()));
  }

  /**
   * Reads whose certificate is accepted.
   *
   * @param field in the body
   * @param wanted null = left out
   * @throws ApiException if it does not fit
   */
  public static Trust trust(String field, @Nullable SourceTrust wanted) {
    if (wanted == null || wanted.getSha256() == null && wanted.getAuthorities() == null) {
      return Trust.Authorities.OF_THE_SYSTEM;
    }
    String authorities = wanted.getAuthorities();
    if (wanted.getSha256() != null) {
      if (authorities != null) {
        throw ApiException.invalidField(field, "has a fingerprint and authorities")
            .hint("Give sha256 or authorities.");
      }
      return new Trust.Pinned(HexFormat.of().parseHex(wanted.getSha256().replace(":", "")));
    }
    return new Trust.Authorities(certificates(field + ".authorities", authorities));
  }

  private static String certificates(String field, @Nullable String pem) {
    String text = requireNonNullElse(pem, "");
    try {
      if (!text.contains("-----BEGIN CERTIFICATE-----")
          || CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)))
              .isEmpty()) {
        throw new CertificateException("there is none");
      }
    } catch (CertificateException e) {
      throw ApiException.invalidField(field, "holds no certificates in PEM")
          .hint("Give the certificates of authorities, each from BEGIN to END CERTIFICATE.");
    }
    return text;
  }
}
