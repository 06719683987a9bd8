package io.peerlens.web;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.HasCountOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.peerlens.node.Role;
import io.peerlens.support.WebhookReceiver;
import java.time.Duration;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The pages of notifications with the service behind them, from an empty installation on. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NotificationPagesIT {

  private static final double PATIENCE = 60_000;

  private Chromium chromium;
  private WebhookReceiver receiver;
  private PagesInstallation installation;

  @BeforeAll
  void open() {
    chromium = Chromium.startOrSkip();
    receiver = WebhookReceiver.start();
    installation =
        PagesInstallation.open(
            Set.of(Role.API, Role.EVALUATOR, Role.NOTIFIER),
            "peerlens.evaluation.lag=1s",
            "peerlens.evaluation.shards=1",
            "peerlens.scopes.age=1ms",
            "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(new byte[32]),
            "peerlens.notify.egress.allow=127.0.0.1");
  }

  @AfterAll
  void close() {
    if (installation != null) {
      installation.close();
      receiver.close();
      chromium.close();
    }
  }

  @Test
  void definitionsMadeOnThePagesNotifyAReceiver() {
    try (Visitor visitor = Visitor.of(chromium, installation, 1440, ColorScheme.LIGHT)) {
      Page page = visitor.page();
      PagesRules rules = new PagesRules(visitor);

      // A target with a secret, and a test of it.
      visitor.go("/notifications");
      assertThat(page.locator("main")).containsText("There is no rule yet");
      visitor.go("/notifications/targets/new?type=webhook");
      label(page, "Name").fill("Our receiver");
      label(page, "URL").fill(receiver.url("/hook"));
      label(page, "By").selectOption("bearer");
      page.locator("select[aria-label=Token]").selectOption("type a value\u2026");
      label(page, "Token: value").fill("s3cr3t-token");
      page.keyboard().press("Control+s");
      assertThat(page).hasURL(Pattern.compile("/targets/[0-9a-f-]{36}$"));
      assertThat(page.locator("main")).not().containsText("s3cr3t-token");
      button(page, "Test\u2026 T").click();
      Locator dialog = page.getByRole(AriaRole.DIALOG);
      dialog
          .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Send").setExact(true))
          .click();
      assertThat(dialog.locator(".verdict")).containsText("200 delivered");
      assertThat(dialog.locator(".exchange")).not().containsText("s3cr3t-token");
      assertThat(receiver.last().header("authorization")).isEqualTo("Bearer s3cr3t-token");
      page.keyboard().press("Escape");

      // A template of our own, made of a built-in one, with one more step.
      visitor.go("/notifications/templates/generic-json");
      assertThat(page.locator(".rendered-pane")).containsText("dedupKey");
      button(page, "Clone\u2026").click();
      dialog.locator("input").fill("ours");
      page.keyboard().press("Enter");
      assertThat(page).hasURL(Pattern.compile("/templates/ours$"));
      // Keys mean something only when the page is there.
      assertThat(page.locator("h1")).hasText("ours");
      page.keyboard().press("+");
      page.locator(".step-kinds").getByText("Put before").click();
      label(page, "Put before: Field").fill("alert.name");
      label(page, "Put before: Text").fill("[ours] ");
      label(page, "Put before: Text").press("Tab");
      assertThat(page.locator(".fields tr").first()).containsText("[ours]");
      assertThat(page.locator(".code-lines .changed").first()).containsText("[ours]");
      assertThat(page.locator(".validity")).containsText("Valid for New, Update and Cancel");
      page.keyboard().press("Control+s");
      assertThat(page.locator(".notice")).containsText("Published");

      // A rule that joins both, and an alert.
      visitor.go("/notifications/rules/new");
      label(page, "Name").fill("Hosts to us");
      label(page, "Template").selectOption("ours");
      page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Targets"))
          .getByText("Our receiver")
          .click();
      assertThat(page.locator(".simulator .say")).isVisible();
      page.getByLabel("Condition in CEL").fill("object.kind == 'HostSystem'");
      page.keyboard().press("Control+s");
      assertThat(page).hasURL(Pattern.compile("/rules/[0-9a-f-]{36}$"));
      rules.threshold("Hosts are busy", "HostSystem", 10, "critical");
      Awaitility.await()
          .pollInSameThread()
          .atMost(Duration.ofSeconds(90))
          .until(
              () ->
                  receiver.received().stream()
                          .filter(r -> r.text().contains("[ours] Hosts are busy"))
                          .count()
                      >= 2);

      // The log has it with the exact bytes, and the alert says who was told.
      visitor.go("/notifications?tab=deliveries");
      assertThat(rows(page).filter(new Locator.FilterOptions().setHasText("Hosts are busy")))
          .hasCount(2, new HasCountOptions().setTimeout(PATIENCE));
      page.keyboard().press("j");
      Locator detail = page.locator("section[aria-label=Delivery]");
      assertThat(detail).containsText("[ours] Hosts are busy");
      assertThat(detail).not().containsText("s3cr3t-token");
      detail.locator("dl a").last().click();
      assertThat(page.locator(".notified")).containsText("Our receiver");
      assertThat(page.locator(".notified")).containsText("delivered");

      // A silence made from it covers it.
      page.keyboard().press("m");
      Locator sheet = page.getByRole(AriaRole.DIALOG);
      assertThat(sheet).containsText("nobody is notified of this alert");
      assertThat(sheet.locator(":focus")).hasCount(1);
      page.keyboard().type("CHG-1");
      page.keyboard().press("Enter");
      assertThat(page.locator(".notice")).containsText("silenced until");
      assertThat(page.locator("main")).containsText("CHG-1");

      // A mail, which is the one place where HTML is made of a text.
      visitor.go("/notifications/templates/email");
      assertThat(page.frameLocator("iframe.mail").locator("body"))
          .containsText(Pattern.compile("\\w{3}"));
      page.navigate("about:blank");
    }
  }

  private static Locator rows(Page page) {
    return page.locator("main tbody tr:not(.gap)");
  }

  private static Locator label(Page page, String text) {
    return page.getByLabel(text, new Page.GetByLabelOptions().setExact(true));
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
