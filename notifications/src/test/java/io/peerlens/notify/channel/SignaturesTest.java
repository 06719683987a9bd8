package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.notify.channel.WebhookSettings.Signing;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretRef;
import io.peerlens.notify.secret.SecretValues;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SignaturesTest {

  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
  private static final String WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final UUID DELIVERY = UUID.fromString("01931d6c-5d15-7f61-a9f6-2f1de2b6f0aa");
  private static final Attempt ATTEMPT =
      new Attempt(DELIVERY, UUID.randomUUID(), 1, 1, Instant.ofEpochSecond(1614265330));

  private static SecretValues secrets(Map<String, String> values) {
    return name -> {
      String value = values.get(name);
      if (value == null) {
        throw new SecretException("The secret " + name + " does not exist");
      }
      return value;
    };
  }

  /** The example that the libraries of Standard Webhooks are tested with. */
  @Test
  void signaturesFollowStandardWebhooks() {
    assertThat(Signatures.v1("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", BODY, "key", WHSEC))
        .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void everySecretSignsSoThatTheyCanBeChanged() {
    List<HeaderLine> headers =
        Signatures.headers(
            new Signing.StandardHmac(List.of(new SecretRef("new"), new SecretRef("old"))),
            ATTEMPT,
            BODY,
            secrets(
                Map.of(
                    "new",
                    "whsec_" + Base64.getEncoder().encodeToString(new byte[32]),
                    "old",
                    WHSEC)));
    assertThat(headers)
        .extracting(HeaderLine::name)
        .containsExactly("webhook-timestamp", "webhook-signature");
    assertThat(headers.getFirst().value()).isEqualTo("1614265330");
    String[] signatures = headers.getLast().value().split(" ", -1);
    assertThat(signatures).hasSize(2);
    assertThat(signatures[1])
        .isEqualTo(Signatures.v1(DELIVERY.toString(), "1614265330", BODY, "old", WHSEC));
  }

  @Test
  void anEd25519SignatureIsVerifiedByItsPublicKey() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    String secret = "whsk_" + Base64.getEncoder().encodeToString(seed);
    HeaderLine header =
        Signatures.headers(
                new Signing.StandardEd25519(List.of(new SecretRef("k"))),
                ATTEMPT,
                BODY,
                secrets(Map.of("k", secret)))
            .getLast();
    assertThat(header.value()).startsWith("v1a,");
    PublicKey key =
        KeyFactory.getInstance("Ed25519")
            .generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(key);
    verifier.update((DELIVERY + ".1614265330.").getBytes(StandardCharsets.US_ASCII));
    verifier.update(BODY);
    assertThat(verifier.verify(Base64.getDecoder().decode(header.value().substring(4)))).isTrue();
  }

  @Test
  void plainHmacIsWhatGitHubAndGrafanaVerify() {
    SecretValues secrets = secrets(Map.of("k", "It's a Secret to Everybody"));
    byte[] body = "Hello, World!".getBytes(StandardCharsets.UTF_8);
    // The example in GitHub's documentation of webhooks.
    assertThat(
            Signatures.headers(
                new Signing.Hmac(
                    List.of(new SecretRef("k")), "X-Hub-Signature-256", "sha256=", false, null),
                ATTEMPT,
                body,
                secrets))
        .containsExactly(
            new HeaderLine(
                "X-Hub-Signature-256",
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"));
    List<HeaderLine> timed =
        Signatures.headers(
            new Signing.Hmac(List.of(new SecretRef("k")), "X-Signature", "", true, "X-Time"),
            ATTEMPT,
            body,
            secrets);
    assertThat(timed.getFirst()).isEqualTo(new HeaderLine("X-Time", "1614265330"));
    assertThat(timed.getLast().value())
        .isEqualTo(
            Signatures.headers(
                    new Signing.Hmac(List.of(new SecretRef("k")), "X-Signature", "", true, null),
                    ATTEMPT,
                    "1614265330:Hello, World!".getBytes(StandardCharsets.UTF_8),
                    secrets)
                .getFirst()
                .value());
  }

  @Test
  void anInvalidKeyIsReportedWithoutShowingIt() {
    for (String bad : List.of("whsec_c2hvcnQ=", "not base64 at all!", "whsec_%%%")) {
      assertThatThrownBy(
              () ->
                  Signatures.headers(
                      new Signing.StandardHmac(List.of(new SecretRef("k"))),
                      ATTEMPT,
                      BODY,
                      secrets(Map.of("k", bad))))
          .isInstanceOf(SecretException.class)
          .hasMessageContaining("The secret k")
          .hasMessageNotContaining(bad.substring(6));
    }
  }
}
