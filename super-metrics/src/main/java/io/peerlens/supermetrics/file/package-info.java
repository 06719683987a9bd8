/**
 * Files of super metrics: reading and writing the export format of vRealize Operations, alone or in
 * a ZIP, and planning what an import will do.
 *
 * <p>{@link io.peerlens.supermetrics.file.ImportReader} reads a file, {@link
 * io.peerlens.supermetrics.file.ImportPlan} compares what it found with what is stored, {@link
 * io.peerlens.supermetrics.file.ExportWriter} writes a selection. {@link
 * io.peerlens.supermetrics.file.Packs} are such files that come with the product.
 */
@NullMarked
package io.peerlens.supermetrics.file;

import org.jspecify.annotations.NullMarked;
