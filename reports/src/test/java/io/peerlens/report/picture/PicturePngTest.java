package io.peerlens.report.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class PicturePngTest {

  private static BufferedImage draw(PanelPicture picture) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(PicturePng.draw(picture).orElseThrow()));
  }

  @Test
  void aPictureHasTwoPixelsForEachPointAndTheColoursOfItsStates() throws IOException {
    BufferedImage image = draw(PanelDrawing.of(Answers.table(3), 400, ZoneOffset.UTC));
    assertThat(image.getWidth()).isEqualTo((400 + 16) * PicturePng.SCALE);
    Set<Integer> colours = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        colours.add(image.getRGB(x, y) & 0xffffff);
      }
    }
    assertThat(colours).contains(0xffffff, Ink.WARNING_SOFT.colour().getRGB() & 0xffffff);
    assertThat(colours.size()).isGreaterThan(10); // text is smooth
  }

  @Test
  void whatIsTooHighIsCutOff() throws IOException {
    BufferedImage image = draw(PanelDrawing.of(Answers.table(1000), 400, ZoneOffset.UTC));
    assertThat(image.getHeight())
        .isBetween((int) PicturePng.MOST_HEIGHT, (int) (PicturePng.MOST_HEIGHT + 100) * 2);
  }
}
