import { render } from "/app/core/html.js";
import { blocks, inline, markdown } from "/app/panels/markdown.js";
import { equal, holds, test } from "/test/harness.js";

test("Headings, paragraphs, lists and code are blocks of their own", () => {
  equal(
    blocks("# One\ntwo\nthree\n\n- a\n- b\n1. c\n\n```\nx < y\n```\n> said\n---").map((b) => b.kind),
    ["heading", "text", "list", "numbers", "code", "quote", "rule"],
  );
  equal(blocks("two\nthree")[0].parts, ["two three"]);
  equal(blocks("```\n# not a heading\n```")[0].text, "# not a heading");
});

test("Emphasis, code and links are parts of a line", () => {
  equal(inline("**a** _b_ `c*d*`"), [
    { kind: "strong", parts: ["a"] },
    " ",
    { kind: "em", parts: ["b"] },
    " ",
    { kind: "code", text: "c*d*" },
  ]);
  equal(inline("see [the page](/alerts)")[1], { kind: "link", parts: ["the page"], url: "/alerts" });
  equal(inline("cpu_usage_average is 3 * 4"), ["cpu_usage_average is 3 * 4"]);
});

test("A backslash takes its meaning from a mark", () => {
  equal(inline("cpu\\_usage \\*\\* 3").join(""), "cpu_usage ** 3");
  equal(inline("[a\\_b](https://a.example/)"), [{ kind: "link", parts: ["a_b"], url: "https://a.example/" }]);
  equal(
    inline("\\[x\\](https://a.example/)").some((p) => p.kind === "link"),
    false,
  );
  equal(inline("**2 \\* 3**"), [{ kind: "strong", parts: ["2 ", "*", " 3"] }]);
  equal(inline("C:\\Windows"), ["C:\\Windows"]);
});

test("A text that is made to take long does not", () => {
  const start = performance.now();
  for (const part of ["[", "*", "\\", "[\\", "**\\a", "`"]) inline(part.repeat(20_000 / part.length));
  holds(performance.now() - start < 5_000, "20,000 characters of each are read at once");
});

test("A link that is no address of a page stays text", () => {
  for (const url of ["javascript:alert(1)", "//evil.example", "data:text/html,x", "ftp://x"])
    equal(
      inline(`[x](${url})`).some((p) => p.kind === "link"),
      false,
      url,
    );
});

test("Markup in the text is text on the page", () => {
  const place = document.createElement("div");
  render(markdown('<script>alert(1)</script> <img src="x" onerror="alert(1)">\n\n**<b>bold</b>**'), place);
  equal(place.querySelectorAll("script, img, b b").length, 0);
  holds(place.textContent.includes("<script>alert(1)</script>"), "it is there as text");
});
