/** Pictures of panels: what is drawn where, and how it becomes a PNG or a PDF. */
@NullMarked
package io.peerlens.report.picture;

import org.jspecify.annotations.NullMarked;
