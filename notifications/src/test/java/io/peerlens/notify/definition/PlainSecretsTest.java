package io.peerlens.notify.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.definition.SecretKeepingService.Split;
import io.peerlens.web.ApiException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class PlainSecretsTest {

  private static final UUID ID = UUID.fromString("6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01");

  private static Split<NotificationTargetEdit> part(String webhook) {
    NotificationTargetEdit edit =
        Definitions.of(
            JsonMapper.shared()
                .readTree(
                    "{\"name\": \"x\", \"type\": \"webhook\", \"webhook\": {"
                        + webhook.replace('\'', '"')
                        + "}}"),
            NotificationTargetEdit.class);
    return PlainSecrets.split(ID, "", edit);
  }

  private static Split<NotificationTargetEdit> url(String url) {
    return part("'url': '" + url + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "https://hooks.slack.com/services/T0/B0/abc, T0/B0/abc",
    "https://acme.webhook.office.com/webhookb2/a/IncomingWebhook/b, a/IncomingWebhook/b",
    "https://discord.com/api/webhooks/1/x, 1/x",
    "https://x.example.org/in?token=abcd&v=1, abcd",
    "https://x.example.org/in?v=1&sig=a%2Bb, a%2Bb",
    "https://x.example.org/hooks/3fA9kLm20PqRsT7uVwXyZ01/in, 3fA9kLm20PqRsT7uVwXyZ01"
  })
  void secretPartsOfUrlsAreTakenOut(String url, String secret) {
    Split<NotificationTargetEdit> split = url(url);
    assertThat(split.values().values()).containsExactly(secret);
    String name = split.values().keySet().iterator().next();
    assertThat(name).startsWith("target-6b0f1b60-7c1e-url-").matches("[a-z0-9][a-z0-9._-]{0,63}");
    String left = split.edit().getWebhook().getUrl();
    assertThat(left).isEqualTo(url.replace(secret, "${secret:" + name + "}"));
    // What was answered can be sent again.
    assertThat(url(left).values()).isEmpty();
    assertThat(url(left).edit().getWebhook().getUrl()).isEqualTo(left);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://x.example.org/",
        "https://x.example.org/api/v2/alerts?v=1",
        "https://x.example.org/rooms/6b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01",
        "https://x.example.org/a-path-that-somebody-made-up/in",
        "https://x.example.org/in?token=${secret:t}"
      })
  void ordinaryValuesStay(String url) {
    assertThat(url(url).values()).isEmpty();
    assertThat(url(url).edit().getWebhook().getUrl()).isEqualTo(url);
  }

  @Test
  void headersThatCarryCredentialsAreTakenOut() {
    Split<NotificationTargetEdit> split =
        part(
            "'url': 'https://x.example.org/', 'headers': [{'name': 'Authorization', 'value':"
                + " 'Bearer abc'}, {'name': 'X-Auth-Token', 'value': '${secret:t}'}, {'name':"
                + " 'X-Team', 'value': 'ops'}]");
    assertThat(split.values()).hasSize(1).containsValue("Bearer abc");
    assertThat(split.edit().getWebhook().getHeaders().get(1).getValue()).isEqualTo("${secret:t}");
    assertThat(split.edit().getWebhook().getHeaders().get(2).getValue()).isEqualTo("ops");
  }

  @Test
  void valuesInThePlaceOfNamesAreTakenOut() {
    Split<NotificationTargetEdit> split =
        part(
            "'url': 'https://x.example.org/', 'auth': {'type': 'oauth2-client-credentials',"
                + " 'clientId': 'c', 'tokenUrl': 'https://x.example.org/token', 'clientSecret':"
                + " {'value': 'abcd'}}, 'signing': {'type': 'hmac', 'secrets': [{'secret': 'old'},"
                + " {'value': 'efgh'}]}");
    assertThat(split.values()).hasSize(2).containsValue("abcd").containsValue("efgh");
    assertThat(split.edit().getWebhook().getSigning().getSecrets().getFirst().getSecret())
        .isEqualTo("old");
    assertThat(Definitions.write(split.edit())).doesNotContain("abcd", "efgh", "\"value\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "'url': 'https://u@x.example.org/'; webhook.url",
        "'url': 'https://x.example.org/', 'proxy': {'url': 'http://u:p@proxy.example.org'};"
            + " webhook.proxy.url",
        "'url': 'https://x.example.org/', 'auth': {'type': 'bearer', 'token': {'secret': 'a',"
            + " 'value': 'bbbb'}}; webhook.auth.token",
        "'url': 'https://x.example.org/', 'auth': {'type': 'bearer', 'token': {}};"
            + " webhook.auth.token"
      })
  void aSecretThatIsNeitherNameNorValueIsRefused(String webhook, String field) {
    assertThatThrownBy(() -> part(webhook))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.errors().getFirst().getField()).isEqualTo(field));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://${secret:x}.example.com/",
        "https://example.com.${secret:x}",
        "https://${secret:x}/in",
        "${secret:x}.example.com/in"
      })
  void aSecretIsNoPartOfTheNameOfAHost(String url) {
    assertThatThrownBy(() -> url(url))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("has a secret in the name of its host");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${secret:x}",
        "${secret:x}/in",
        "https://example.com/${secret:x}",
        "https://example.com?${secret:x}"
      })
  void aSecretMayBeTheWholeUrlOrBehindTheHost(String url) {
    assertThat(url(url).edit().getWebhook().getUrl()).isEqualTo(url);
  }
}
