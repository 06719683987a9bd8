package io.peerlens.notify.channel;

import io.peerlens.notify.channel.WebhookSettings.Signing;
import io.peerlens.notify.secret.SecretException;
import io.peerlens.notify.secret.SecretRef;
import io.peerlens.notify.secret.SecretValues;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signatures of requests, by which receivers can tell that they are ours and whole. With several
 * secrets each one signs: receivers can change theirs at any moment between two changes here.
 */
final class Signatures {

  private Signatures() {}

  /**
   * The headers that carry the signature of a body.
   *
   * @throws SecretException if a secret is missing or is no key
   */
  static List<HeaderLine> headers(
      Signing signing, Attempt attempt, byte[] body, SecretValues secrets) {
    String time = Long.toString(attempt.at().getEpochSecond());
    return switch (signing) {
      case Signing.None() -> List.of();
      case Signing.StandardHmac(List<SecretRef> names) -> {
        String id = attempt.deliveryId().toString();
        yield standard(time, names, name -> v1(id, time, body, name, secrets.value(name)));
      }
      case Signing.StandardEd25519(List<SecretRef> names) -> {
        String id = attempt.deliveryId().toString();
        yield standard(time, names, name -> v1a(id, time, body, name, secrets.value(name)));
      }
      case Signing.Hmac hmac -> {
        byte[] signed = hmac.timestampHeader() == null ? body : joined(time + ":", body);
        String value =
            hmac.secrets().stream()
                .map(
                    secret -> {
                      byte[] key = secrets.value(secret.name()).getBytes(StandardCharsets.UTF_8);
                      byte[] mac = hmac(key, signed);
                      return hmac.prefix()
                          + (hmac.base64() ? base64(mac) : HexFormat.of().formatHex(mac));
                    })
                .collect(Collectors.joining(","));
        HeaderLine signature = new HeaderLine(hmac.header(), value);
        yield hmac.timestampHeader() == null
            ? List.of(signature)
            : List.of(new HeaderLine(hmac.timestampHeader(), time), signature);
      }
    };
  }

  private static List<HeaderLine> standard(
      String time, List<SecretRef> names, UnaryOperator<String> sign) {
    return List.of(
        new HeaderLine("webhook-timestamp", time),
        new HeaderLine(
            "webhook-signature",
            names.stream().map(name -> sign.apply(name.name())).collect(Collectors.joining(" "))));
  }

  /** Standard Webhooks with a shared secret. */
  static String v1(String id, String time, byte[] body, String name, String secret) {
    return "v1," + base64(hmac(hmacKey(name, secret), joined(id + "." + time + ".", body)));
  }

  /** Standard Webhooks with a private key. */
  static String v1a(String id, String time, byte[] body, String name, String secret) {
    return "v1a," + base64(ed25519(name, secret, joined(id + "." + time + ".", body)));
  }

  private static byte[] hmacKey(String name, String value) {
    byte[] key = decode(name, value, "whsec_");
    if (key.length < 24 || key.length > 64) {
      throw new SecretException(
          "The secret %s has %d bytes; Standard Webhooks wants 24 to 64, as whsec_ and base64"
              .formatted(name, key.length));
    }
    return key;
  }

  private static byte[] decode(String name, String value, String prefix) {
    String text = value.strip();
    try {
      return Base64.getDecoder()
          .decode(text.startsWith(prefix) ? text.substring(prefix.length()) : text);
    } catch (IllegalArgumentException e) {
      throw new SecretException(
          "The secret %s is no key of Standard Webhooks, which is %s and base64"
              .formatted(name, prefix));
    }
  }

  private static byte[] hmac(byte[] key, byte[] text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has HmacSHA256", e);
    }
  }

  private static byte[] ed25519(String name, String value, byte[] text) {
    byte[] key = decode(name, value, "whsk_");
    if (key.length != 32 && key.length != 64) { // the seed, alone or with the public key behind it
      throw new SecretException(
          "The secret %s has %d bytes; an ed25519 key has 32 or 64".formatted(name, key.length));
    }
    try {
      PrivateKey seed =
          KeyFactory.getInstance("Ed25519")
              .generatePrivate(
                  new EdECPrivateKeySpec(NamedParameterSpec.ED25519, Arrays.copyOf(key, 32)));
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(seed);
      signature.update(text);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has Ed25519", e);
    }
  }

  private static byte[] joined(String start, byte[] body) {
    byte[] first = start.getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    return all;
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
