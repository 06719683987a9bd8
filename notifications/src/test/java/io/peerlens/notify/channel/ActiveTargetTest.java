package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.channel.WebhookSettings.Auth;
import io.peerlens.notify.channel.WebhookSettings.Signing;
import io.peerlens.notify.secret.SecretRef;
import io.peerlens.web.ApiException;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class ActiveTargetTest {

  private static final Validator CONTRACT =
      Validation.buildDefaultValidatorFactory().getValidator();

  private static final UUID ID = UUID.fromString("0d8f8f6c-5d15-4f61-a9f6-2f1de2b6f0aa");

  private static ActiveTarget read(String json) {
    return ActiveTarget.read(
        ID,
        "target.",
        Definitions.of(
            "target",
            JsonMapper.shared().readTree(json.replace('\'', '"')),
            NotificationTargetEdit.class,
            CONTRACT));
  }

  @Test
  void aWebhookNeedsAUrlAndNothingElse() {
    ActiveTarget target =
        read("{'name': 'Chat', 'type': 'webhook', 'webhook': {'url': 'https://hooks.example/a'}}");
    assertThat(target)
        .isEqualTo(
            new ActiveTarget(
                ID,
                "Chat",
                new WebhookSettings(
                    new SecretText("https://hooks.example/a"),
                    new Auth.None(),
                    null,
                    WebhookSettings.Tls.DEFAULT,
                    null,
                    new Signing.None(),
                    List.of(),
                    Duration.ofSeconds(15)),
                SendLimits.DEFAULT));
    assertThat(target.settings().secrets()).isEmpty();
  }

  @Test
  void aWebhookMayHaveEverything() {
    ActiveTarget target =
        read(
            """
            {'id': '3f0c9d36-5a0b-5a55-9c0e-0f6f3f8f2c11', 'name': 'Tickets', 'description': 'd', 'enabled': true, 'heartbeat': '1h', 'type': 'webhook',
             'webhook': {
               'url': 'https://tickets.example/${secret:path}?a=1',
               'auth': {'type': 'oauth2-client-credentials', 'tokenUrl': 'https://id.example/token', 'clientId': 'me',
                        'clientSecret': {'secret': 'client'}, 'scope': 'a b', 'keyStore': {'secret': 'pem'}},
               'tls': {'caBundle': 'PEM\\nPEM', 'pinSha256': ['AA:%s'], 'verifyHost': false},
               'proxy': {'url': 'http://proxy.example:3128', 'secret': {'secret': 'proxy'}},
               'signing': {'type': 'hmac', 'secrets': [{'secret': 'new'}, {'secret': 'old'}], 'encoding': 'base64', 'timestampHeader': 'X-Time'},
               'headers': [{'name': 'X-Team', 'value': 'ops ${secret:team}'}],
               'timeout': '30s'},
             'limits': {'perMinute': 60, 'burst': 5, 'connections': 2, 'maxAge': '72h', 'digestAfter': 100}}
            """
                .formatted("bb".repeat(31)));
    WebhookSettings settings = (WebhookSettings) target.settings();
    assertThat(settings.auth())
        .isEqualTo(
            new Auth.OAuth2(
                new SecretText("https://id.example/token"), "me", new SecretRef("client"), "a b"));
    assertThat(settings.clientKey()).isEqualTo(new SecretRef("pem"));
    assertThat(settings.tls().pins()).containsExactly("aa" + "bb".repeat(31));
    assertThat(settings.tls().verifyHost()).isFalse();
    assertThat(settings.proxy())
        .isEqualTo(new WebhookSettings.Proxy(false, "proxy.example", 3128, new SecretRef("proxy")));
    assertThat(settings.signing())
        .isEqualTo(
            new Signing.Hmac(
                List.of(new SecretRef("new"), new SecretRef("old")),
                "X-Hub-Signature-256",
                "sha256=",
                true,
                "X-Time"));
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(target.limits()).isEqualTo(new SendLimits(60, 5, 2, Duration.ofHours(72), 100));
    assertThat(settings.secrets())
        .containsExactlyInAnyOrder("path", "client", "pem", "proxy", "new", "old", "team");
  }

  @Test
  void mailHasTheUsualPortOfItsSecurity() {
    EmailSettings settings =
        (EmailSettings)
            read("""
            {'name': 'M', 'type': 'email', 'email': {'host': 'mx.example', 'from': 'Ops <ops@example.com>',
             'to': ['a@example.com'], 'bcc': ['b@sub.example.com'], 'allowedDomains': ['Example.com']}}
            """)
                .settings();
    assertThat(settings.security()).isEqualTo(EmailSettings.Security.STARTTLS);
    assertThat(settings.port()).isEqualTo(587);
    assertThat(settings.bcc()).containsExactly("b@sub.example.com");
    EmailSettings tls =
        (EmailSettings)
            read("""
            {'name': 'M', 'type': 'email', 'email': {'host': 'mx.example', 'security': 'tls', 'from': 'ops@example.com',
             'to': ['a@example.com'], 'username': 'u', 'password': {'secret': 'p'}}}
            """)
                .settings();
    assertThat(tls.port()).isEqualTo(465);
    assertThat(tls.secrets()).containsExactly("p");
  }

  @Test
  void snmpV3HasSafeProtocolsUnlessItSaysOthers() {
    SnmpSettings settings =
        (SnmpSettings)
            read("""
            {'name': 'S', 'type': 'snmp', 'snmp': {'host': '192.0.2.1', 'version': 'v3', 'user': 'ops',
             'authPassword': {'secret': 'a'}, 'privPassword': {'secret': 'b'}, 'inform': true}}
            """)
                .settings();
    assertThat(settings)
        .isEqualTo(
            new SnmpSettings(
                "192.0.2.1",
                162,
                new SnmpSettings.Credentials.User(
                    "ops",
                    SnmpSettings.AuthProtocol.SHA_256,
                    new SecretRef("a"),
                    SnmpSettings.PrivProtocol.AES_128,
                    new SecretRef("b"),
                    null),
                true,
                Duration.ofSeconds(5)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {'type': 'webhook'} | name | must not be null
          {'name': 'x', 'type': 'fax'} | type | is not one of webhook, email, snmp
          {'name': 'x', 'type': 'webhook'} | webhook | is missing
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h'}, 'snmp': {'host': 'h', 'version': 'v2c'}} | snmp | does not go with type webhook
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'ftp://host'}} | webhook.url | does not start with https:// or http://
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://u:p@h'}} | webhook.url | holds a user name
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https:///a'}} | webhook.url | has no host, or one that is no name or address
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h/#a'}} | webhook.url | has a fragment (#), which is never sent
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h/${secret:Bad Name}'}} | webhook.url | No name of a secret: ${secret:Bad Name}
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'urll': 1}} | webhook.urll | is unknown
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'auth': {'type': 'bearer', 'token': 'plain'}}} | webhook.auth.token | is not an object with the fields of secretref
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'auth': {'type': 'basic', 'username': 'a:b', 'password': {'secret': 'p'}}}} | webhook.auth.username | holds a colon, which Basic authentication cannot carry
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'auth': {'type': 'mutual-tls'}}} | webhook.auth.keyStore | is missing
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'headers': [{'name': 'Host', 'value': 'x'}]}} | webhook.headers[0].name | Host is set by Peerlens alone
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'headers': [{'name': 'content-length', 'value': 'x'}]}} | webhook.headers[0].name | content-length is set by Peerlens alone
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'headers': [{'name': 'X A', 'value': 'x'}]}} | webhook.headers[0].name | "X A" is no name of a header
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'headers': [{'name': 'X', 'value': 'a\\r\\nHost: b'}]}} | webhook.headers[0].value | holds a line break or another control character
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'tls': {'verifyHost': false}}} | webhook.tls.verifyHost | cannot be off when any public certificate would do
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'tls': {'pinSha256': ['abcd']}}} | webhook.tls.pinSha256[0] | is not a SHA-256 fingerprint: write 64 hexadecimal digits, with or without colons between the pairs
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'signing': {'type': 'standard-webhooks'}}} | webhook.signing.secrets | is empty
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'timeout': '10m'}} | webhook.timeout | 10m is not between 1s and 120s
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h'}, 'limits': {'burst': 3}} | limits.burst | means nothing without perMinute
          {'name': 'x', 'type': 'webhook', 'webhook': {'url': 'https://h', 'proxy': {'url': 'socks5://p', 'secret': {'secret': 's'}}}} | webhook.proxy.secret | does not go with socks5
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': []}} | email.to | size must be between 1 and 100
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': ['a@b\\nBcc: c@d']}} | email.to[0] | holds a line break or another control character
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': ['a@b,c@d']}} | email.to[0] | "a@b,c@d" is no mail address, such as ops@example.com
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'nobody', 'to': ['a@b']}} | email.from | "nobody" is no mail address, such as ops@example.com
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': ['x@evil.example'], 'allowedDomains': ['good.example']}} | email.to[0] | evil.example is not among allowedDomains
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': ['x@notgood.example'], 'allowedDomains': ['good.example']}} | email.to[0] | notgood.example is not among allowedDomains
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': ['a@b'], 'security': 'none', 'username': 'u', 'password': {'secret': 'p'}}} | email.security | is none, so the password would travel in clear
          {'name': 'x', 'type': 'email', 'email': {'host': 'h', 'from': 'a@b', 'to': ['a@b'], 'username': 'u'}} | email.password | is missing; give both or neither
          {'name': 'x', 'type': 'snmp', 'snmp': {'host': 'h', 'version': 'v1'}} | snmp.version | is not one of v2c, v3
          {'name': 'x', 'type': 'snmp', 'snmp': {'host': 'h', 'version': 'v2c'}} | snmp.community | is missing
          {'name': 'x', 'type': 'snmp', 'snmp': {'host': 'h', 'version': 'v2c', 'community': {'secret': 'c'}, 'user': 'u'}} | snmp.user | goes with v3 only
          {'name': 'x', 'type': 'snmp', 'snmp': {'host': 'h', 'version': 'v3', 'user': 'u', 'authProtocol': 'MD5', 'authPassword': {'secret': 'a'}, 'privPassword': {'secret': 'b'}}} | snmp.authProtocol | is not one of SHA-224, SHA-256, SHA-384, SHA-512
          {'name': 'x', 'type': 'snmp', 'snmp': {'host': 'h', 'version': 'v3', 'user': 'u', 'privProtocol': 'DES', 'authPassword': {'secret': 'a'}, 'privPassword': {'secret': 'b'}}} | snmp.privProtocol | is not one of AES-128, AES-192, AES-256
          {'name': 'x', 'type': 'snmp', 'snmp': {'host': 'a/b', 'version': 'v2c', 'community': {'secret': 'c'}}} | snmp.host | "a/b" is no host name or address
          """)
  void mistakesAreNamedWithTheirField(String json, String field, String reason) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.errors().getFirst().getField()).isEqualTo("target." + field);
              assertThat(e.errors().getFirst().getReason()).isEqualTo(reason);
            });
  }

  @Test
  void theHeadOfAnAnswerHasTwoKilobytesAndNoHalfCharacters() {
    Answer answer = new Answer(200, "200 OK", List.of(), "ä".repeat(2000), false);
    assertThat(answer.head()).isEqualTo("ä".repeat(1024));
    assertThat(new Answer(200, "", List.of(), "a" + "😀".repeat(900), false).head())
        .isEqualTo("a" + "😀".repeat(511));
    assertThat(new Answer(200, "", List.of(), "short", false).head()).isEqualTo("short");
  }
}
