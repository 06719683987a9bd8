package io.peerlens;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links from one page of the repository to another file of it lead somewhere. */
class DocsLinksTest {

  private static final Path REPOSITORY = Path.of("..");
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", "data", ".git");
  private static final Pattern CODE =
      Pattern.compile("(?ms)^ *```.*?^ *```|^(?: {4}|\t)[^\n]*|`[^`\n]+`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z][a-z0-9+.-]*:.*|#.*");

  @Test
  void relativeLinksInMarkdownExist() throws IOException {
    List<Path> pages = pages(REPOSITORY);
    assertThat(pages).hasSizeGreaterThan(5);

    assertThat(broken(pages)).isEmpty();
  }

  @Test
  void aBrokenLinkIsFoundButNotOneWithinCode(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("page.md"),
        """
        [good](page.md#part), [away](https://peerlens.example/x), [here](#part), `[a](b.md)`
        ```
        [c](d.md)
        ```
        ![picture](no-such.png "title")
        """);
    Files.createDirectories(folder.resolve("target"));
    Files.writeString(folder.resolve("target/built.md"), "[x](nowhere.md)");

    assertThat(broken(pages(folder))).singleElement().asString().endsWith("page.md -> no-such.png");
  }

  private static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return !folder.equals(root) && NOT_OURS.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }

  private static List<String> broken(List<Path> pages) throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      Matcher link = LINK.matcher(CODE.matcher(Files.readString(page)).replaceAll(""));
      while (link.find()) {
        String target = link.group(1);
        String file = URLDecoder.decode(target.replaceFirst("#.*", ""), StandardCharsets.UTF_8);
        if (!ELSEWHERE.matcher(target).matches() && !Files.exists(page.resolveSibling(file))) {
          broken.add(page + " -> " + target);
        }
      }
    }
    return broken;
  }
}
