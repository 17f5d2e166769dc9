//! As much linear algebra as a fit of ratings needs.

/// The inverse of a symmetric positive definite matrix, by elimination.
pub(super) fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let unit = |row: usize| (0..size).map(|column| f64::from(u8::from(row == column))).collect();
    let mut inverse: Vec<Vec<f64>> = (0..size).map(unit).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|entry| *entry *= scale);
        inverse[pivot].iter_mut().for_each(|entry| *entry *= scale);
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for column in 0..size {
                matrix[row][column] -= factor * matrix[pivot][column];
                inverse[row][column] -= factor * inverse[pivot][column];
            }
        }
    }
    inverse
}

/// A matrix times a vector.
pub(super) fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    let product = |row: &Vec<f64>| row.iter().zip(vector).map(|(a, b)| a * b).sum();
    matrix.iter().map(product).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_is_worked_out_by_hand() {
        let inverse = invert(vec![vec![2.0, -1.0], vec![-1.0, 2.0]]);
        let expected = [[2.0 / 3.0, 1.0 / 3.0], [1.0 / 3.0, 2.0 / 3.0]];
        for (row, expected) in inverse.iter().zip(expected) {
            assert!(row.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{inverse:?}");
        }
        assert_eq!(multiply(&[vec![1.0, 2.0], vec![3.0, 4.0]], &[5.0, 6.0]), [17.0, 39.0]);
    }
}
